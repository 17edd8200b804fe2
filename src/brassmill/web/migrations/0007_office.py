"""For who runs the server: blocks, hidden messages, seats offered anew, word for the server."""

import django.utils.timezone
from django.db import migrations, models

KEY = 32


class Migration(migrations.Migration):
    dependencies = [("web", "0006_days")]

    operations = [
        migrations.AddField("seat", "offered", models.BooleanField(default=False)),
        migrations.AddField("message", "hidden", models.BooleanField(default=False)),
        migrations.CreateModel(
            "Block",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visitor", models.CharField(blank=True, db_index=True, max_length=KEY)),
                ("address", models.CharField(blank=True, db_index=True, max_length=64)),
                ("name", models.CharField(max_length=60)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            {"ordering": ("-at",)},
        ),
        migrations.AlterModelOptions(
            "entry", {"ordering": ("number",), "verbose_name_plural": "entries"}
        ),
        migrations.CreateModel(
            "Telegram",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("word", models.CharField(max_length=8)),
                ("table_id", models.CharField(max_length=12)),
            ],
        ),
    ]
