"""Games know the rules they fit, how they were dealt, and, when they are over, how they went.

Games from before are stamped when the server starts or when they are opened: that plays them, and a
migration must not depend on the rules of the day.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0009_again")]

    operations = [
        migrations.AddField(
            "table", "rules", models.CharField(blank=True, default="", max_length=40)
        ),
        migrations.AddField(
            "table",
            "misfit",
            models.CharField(blank=True, db_index=True, default="", max_length=40),
        ),
        migrations.AlterField(
            "table", "seed", models.CharField(blank=True, default="", max_length=20)
        ),
        migrations.CreateModel(
            "Archive",
            [
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="archive",
                        serialize=False,
                        to="web.table",
                    ),
                ),
                ("deal", models.JSONField(null=True)),
                ("first_check", models.CharField(blank=True, default="", max_length=16)),
                ("bot_key", models.CharField(blank=True, default="", max_length=32)),
                ("record", models.TextField(blank=True, default="")),
                ("outcome", models.JSONField(null=True)),
            ],
        ),
    ]
