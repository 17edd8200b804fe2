"""A person has one e-mail address and says what it is for: their games, their password, or both."""

from typing import Any

from django.db import migrations, models


def join_addresses(apps: Any, _editor: Any) -> None:
    """Accounts could have two addresses. The one for the password stays: a password guards it.

    Where it replaces another, its reader is asked before it gets e-mails about games.
    """
    contacts = apps.get_model("web", "Contact").objects
    accounts = apps.get_model("web", "Account").objects.exclude(user__email="")
    for account in accounts.select_related("user"):
        address = account.user.email
        contact, is_new = contacts.get_or_create(visitor=account.key)
        if contact.address.lower() != address.lower():
            contact.wants_mail = not is_new and contact.confirmed
            contact.address, contact.confirmed = address, False
            contact.save(update_fields=["address", "confirmed", "wants_mail"])


class Migration(migrations.Migration):
    dependencies = [("web", "0016_room_for_uploads")]

    operations = [
        migrations.AddField("contact", "wants_mail", models.BooleanField(default=True)),
        migrations.RunPython(join_addresses, migrations.RunPython.noop),
    ]
