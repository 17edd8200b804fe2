"""The first tables of the database."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import brassmill.web.models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=brassmill.web.models.token,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("edition", models.CharField(max_length=20)),
                ("players", models.PositiveSmallIntegerField()),
                ("options", models.JSONField(default=dict)),
                ("seed", models.CharField(max_length=20)),
                ("secret", models.BooleanField(default=True)),
                (
                    "hands",
                    models.CharField(
                        choices=[("covered", "covered"), ("open", "open")],
                        default="covered",
                        max_length=8,
                    ),
                ),
                ("pace", models.PositiveSmallIntegerField(default=1200)),
                ("began", models.DateTimeField(default=django.utils.timezone.now)),
                ("touched", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("host", models.CharField(db_index=True, max_length=32)),
                ("over", models.BooleanField(default=False)),
                ("summary", models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=brassmill.web.models.token,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("visitor", models.CharField(db_index=True, max_length=32)),
                ("name", models.CharField(max_length=100)),
                ("text", models.TextField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=12)),
                ("bot", models.CharField(blank=True, max_length=200)),
                ("holder", models.CharField(blank=True, db_index=True, max_length=32)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="web.table",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="one_seat")
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("body", models.JSONField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="web.table",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="one_entry")
                ],
            },
        ),
    ]
