"""What players show of their profiles, and figures of finished games."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0022_ratings"),
    ]

    operations = [
        migrations.CreateModel(
            name="GameFigures",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="figures",
                        serialize=False,
                        to="web.table",
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("seats", models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name="Profile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("results", models.BooleanField(default=False)),
                ("style", models.BooleanField(default=False)),
                ("games", models.BooleanField(default=False)),
                ("practice", models.BooleanField(default=False)),
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="profile",
                        to="web.account",
                    ),
                ),
            ],
        ),
    ]
