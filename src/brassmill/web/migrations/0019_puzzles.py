"""First attempts at puzzles, and the ratings that follow from them."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0018_deal_of_the_day")]

    operations = [
        migrations.CreateModel(
            "PuzzleSolver",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visitor", models.CharField(max_length=32, unique=True)),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("tried", models.PositiveIntegerField(default=0)),
                ("solved", models.PositiveIntegerField(default=0)),
                ("streak", models.PositiveIntegerField(default=0)),
                ("longest", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            "PuzzleRating",
            [
                ("puzzle", models.CharField(max_length=12, primary_key=True, serialize=False)),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("tried", models.PositiveIntegerField(default=0)),
                ("solved", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            "PuzzleAttempt",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visitor", models.CharField(max_length=32)),
                ("puzzle", models.CharField(max_length=12)),
                ("solved", models.BooleanField()),
                ("gained", models.FloatField(default=0)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["visitor", "puzzle"], name="one_first_attempt")
                ]
            },
        ),
    ]
