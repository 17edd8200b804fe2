"""Who plays a seat may change: how it began is kept for the log."""

from typing import Any

from django.db import migrations, models
from django.db.models import F


def remember(apps: Any, schema_editor: Any) -> None:
    apps.get_model("web", "Seat").objects.update(first_bot=F("bot"))


class Migration(migrations.Migration):
    dependencies = [("web", "0003_friends")]

    operations = [
        migrations.AddField(
            "seat",
            "first_bot",
            models.CharField(blank=True, default="", max_length=200),
        ),
        migrations.RunPython(remember, migrations.RunPython.noop),
    ]
