"""Games over days: clocks, mails, vacation."""

from typing import Any

import django.utils.timezone
from django.db import migrations, models
from django.db.models import Q


def due(name: str, index: str) -> migrations.AddIndex:
    """An index of those for which something is due at all."""
    there = Q(**{f"{name}__isnull": False})
    return migrations.AddIndex("table", models.Index(fields=[name], condition=there, name=index))


def moment(name: str, model: str = "table") -> migrations.AddField:
    return migrations.AddField(model, name, models.DateTimeField(null=True))


def identity() -> tuple[str, Any]:
    key = models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )
    return "id", key


class Migration(migrations.Migration):
    dependencies = [("web", "0005_accounts")]

    operations = [
        migrations.AddField(
            "table", "site", models.CharField(blank=True, default="", max_length=200)
        ),
        migrations.AddField(
            "table", "clock", models.CharField(blank=True, default="", max_length=12)
        ),
        migrations.AddField(
            "table",
            "notice",
            models.CharField(
                choices=[("at once", "at once"), ("later", "later"), ("never", "never")],
                default="later",
                max_length=8,
            ),
        ),
        migrations.AddField("table", "awaited", models.PositiveSmallIntegerField(null=True)),
        moment("asked"),
        moment("due"),
        moment("tell_at"),
        moment("warn_at"),
        due("due", "times_due"),
        due("tell_at", "turns_to_tell"),
        due("warn_at", "times_to_warn"),
        migrations.AddField("seat", "bank", models.DurationField(null=True)),
        moment("seen", "seat"),
        migrations.CreateModel(
            "Contact",
            [
                identity(),
                ("visitor", models.CharField(max_length=32, unique=True)),
                ("address", models.EmailField(blank=True, default="", max_length=254)),
                ("confirmed", models.BooleanField(default=False)),
                ("language", models.CharField(default="en", max_length=2)),
                ("away_until", models.DateTimeField(null=True)),
                ("away_year", models.PositiveSmallIntegerField(default=0)),
                ("away_days", models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            "Refusal",
            [identity(), ("address", models.EmailField(max_length=254, unique=True))],
        ),
        migrations.CreateModel(
            "Mail",
            [
                identity(),
                ("address", models.EmailField(db_index=True, max_length=254)),
                ("kind", models.CharField(max_length=12)),
                ("subject", models.CharField(max_length=200)),
                ("text", models.TextField()),
                ("language", models.CharField(max_length=2)),
                ("stop", models.CharField(blank=True, default="", max_length=300)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("next_at", models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("sent", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=Q(next_at__isnull=False),
                        fields=["next_at"],
                        name="mails_to_send",
                    )
                ]
            },
        ),
        migrations.CreateModel("Pulse", [identity(), ("at", models.DateTimeField())]),
    ]
