"""A mail knows the seat that it invites to; what is left for a server has a name that says so."""

import re
from typing import Any

import django.db.models.deletion
from django.core.signing import BadSignature, Signer
from django.db import migrations, models

LINK = re.compile(r"/join/([^/\s]+)/")


def find_seats(apps: Any, _editor: Any) -> None:
    """The seats of the invitations that are kept, as their links name them."""
    signer = Signer(salt="brassmill.web.invitation", sep=".")
    seats = apps.get_model("web", "Seat").objects
    for mail in apps.get_model("web", "Mail").objects.filter(kind="invitation"):
        link = LINK.search(mail.text)
        try:
            number, word = signer.unsign_object(link[1]) if link else (None, "")
        except BadSignature:  # of another key
            continue
        mail.seat = seats.filter(pk=number, invite=word).first()
        mail.save(update_fields=["seat"])


class Migration(migrations.Migration):
    dependencies = [("web", "0010_rules")]

    operations = [
        migrations.RenameModel("Telegram", "PendingNotification"),
        migrations.AddField(
            "mail",
            "seat",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="web.seat",
            ),
        ),
        migrations.RunPython(find_seats, migrations.RunPython.noop),
    ]
