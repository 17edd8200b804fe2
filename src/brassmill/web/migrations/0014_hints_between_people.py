"""Whether hints are allowed in a game between people: off, unless the host allows them."""

from typing import Any

from django.db import migrations, models


def keep_in_running_games(apps: Any, _editor: Any) -> None:
    """A game that has begun keeps the rules it began with: everyone could ask the coach."""
    running = apps.get_model("web", "Table").objects.filter(gathering=False, over=False)
    running.update(hints=True)


class Migration(migrations.Migration):
    dependencies = [("web", "0013_longer_names")]

    operations = [
        migrations.AddField("table", "hints", models.BooleanField(default=False)),
        migrations.RunPython(keep_in_running_games, migrations.RunPython.noop),
    ]
