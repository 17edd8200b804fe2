"""Several processes: leases of the tables where a bot is to move, and a count of changes."""

from typing import Any

from django.db import migrations, models


def find_bots(apps: Any, schema_editor: Any) -> None:
    """Bots go on at tables that wait for one."""
    tables = apps.get_model("web", "Table").objects.using(schema_editor.connection.alias)
    for table in tables.filter(over=False).iterator():
        seat = table.seats.filter(number=table.summary.get("to_move")).first()
        if seat and seat.bot:
            table.bot_to_move = True
            table.save(update_fields=["bot_to_move"])


class Migration(migrations.Migration):
    dependencies = [("web", "0001_initial")]

    operations = [
        migrations.AddField("table", "revision", models.PositiveIntegerField(default=0)),
        migrations.AddField("table", "bot_to_move", models.BooleanField(default=False)),
        migrations.AddField(
            "table", "leased_by", models.CharField(blank=True, default="", max_length=16)
        ),
        migrations.AddField("table", "leased_until", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "table",
            models.Index(
                fields=["touched"], condition=models.Q(bot_to_move=True), name="bots_to_move"
            ),
        ),
        migrations.RunPython(find_bots, migrations.RunPython.noop),
    ]
