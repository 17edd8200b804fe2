"""`brass admin superuser`: who may use the pages at /admin/."""

from __future__ import annotations

import click

from brassmill.errors import BrassError
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.web.office.work import Work


@click.command(cls=Work, help=N_("Let somebody use the pages at /admin/, with a new password."))
@click.argument("name")
@click.password_option(prompt=N_("Password"), help=N_("The password; it is asked for."))
def superuser(name: str, password: str) -> None:
    from django.contrib.auth import get_user_model
    from django.contrib.auth.password_validation import validate_password
    from django.core.exceptions import ValidationError

    from brassmill.web.accounts import login_of

    users, known = get_user_model()._default_manager, login_of(name)
    user = users.filter(username=known).first() or users.model(username=known)
    try:
        user.clean_fields(exclude=["password"])
        validate_password(password, user)
    except ValidationError as error:
        raise BrassError(" ".join(error.messages)) from error
    user.is_staff = user.is_superuser = user.is_active = True
    user.set_password(password)
    user.save()
    click.echo(_("{name} may use the pages at /admin/ now.").format(name=name))
