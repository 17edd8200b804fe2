"""`brass admin superuser`: give someone access to /admin/."""

from __future__ import annotations

import click

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.staff.commands.common import AdminCommand


@click.command(cls=AdminCommand, help=N_("Give someone access to /admin/, with a new password."))
@click.argument("name")
@click.option("--existing", is_flag=True, help=N_("Even if a player has that name."))
@click.password_option(prompt=N_("Password"), help=N_("The password (asked for if not given)."))
def superuser(name: str, existing: bool, password: str) -> None:
    from django.contrib.auth.models import User
    from django.core.exceptions import ValidationError
    from django.db import transaction

    from brassmill.web.accounts.accounts import password_fault
    from brassmill.web.identity.names import login_of
    from brassmill.web.models import SignIn

    known = login_of(name)
    user = User.objects.filter(username=known).first() or User(username=known)
    is_player = user.pk is not None and not user.is_staff
    if is_player and not existing:
        words = _("{name} is a player; choose another name or add --existing")
        raise BrassError(words.format(name=name))
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise BrassError(" ".join(error.messages)) from error
    if fault := password_fault(password, user):
        raise BrassError(fault)
    user.is_staff = user.is_superuser = user.is_active = True
    user.set_password(password)
    if is_player:
        user.email = ""  # the old address or an open browser may be anyone's
    with transaction.atomic():
        user.save()
        if is_player:
            SignIn.objects.filter(account__user=user).delete()
    click.echo(_("{name} can now use /admin/.").format(name=name))
