"""Rated games and the ratings that follow from them; games so far are casual."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0021_study"),
    ]

    operations = [
        migrations.CreateModel(
            name="Ladder",
            fields=[
                ("id", models.CharField(max_length=40, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("people", "people"), ("levels", "levels")], max_length=8
                    ),
                ),
                ("edition", models.CharField(max_length=20)),
                ("players", models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.AddField(
            model_name="table",
            name="rated",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="RatedGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table", models.CharField(max_length=12, unique=True)),
                ("finished", models.DateTimeField()),
                (
                    "withdrawn",
                    models.CharField(
                        blank=True,
                        choices=[("repaired", "repaired"), ("taken out", "taken out")],
                        default="",
                        max_length=12,
                    ),
                ),
                ("counted", models.BooleanField(default=False)),
                ("flags", models.JSONField(default=list)),
                (
                    "ladder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="games",
                        to="web.ladder",
                    ),
                ),
            ],
            options={
                "ordering": ("finished", "pk"),
            },
        ),
        migrations.CreateModel(
            name="RatedPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "account",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rated",
                        to="web.account",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LadderRating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("floor", models.FloatField()),
                ("games", models.PositiveIntegerField()),
                ("won", models.PositiveIntegerField()),
                ("last", models.DateTimeField()),
                (
                    "ladder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="web.ladder",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="web.ratedplayer",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="seat",
            name="rated_as",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="web.ratedplayer",
            ),
        ),
        migrations.CreateModel(
            name="RatedSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("level", models.CharField(blank=True, default="", max_length=20)),
                ("rank", models.PositiveSmallIntegerField()),
                ("vp", models.SmallIntegerField()),
                ("left", models.BooleanField(default=False)),
                ("mu_before", models.FloatField(null=True)),
                ("sigma_before", models.FloatField(null=True)),
                ("mu", models.FloatField(null=True)),
                ("sigma", models.FloatField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="web.ratedgame",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="web.ratedplayer",
                    ),
                ),
            ],
            options={
                "ordering": ("seat",),
            },
        ),
        migrations.AddIndex(
            model_name="ratedgame",
            index=models.Index(fields=["ladder", "finished"], name="games_in_order"),
        ),
        migrations.AddIndex(
            model_name="ratedgame",
            index=models.Index(
                condition=models.Q(("counted", False)), fields=["ladder"], name="games_to_count"
            ),
        ),
        migrations.AddIndex(
            model_name="ladderrating",
            index=models.Index(fields=["ladder", "-floor"], name="leaderboard"),
        ),
        migrations.AddConstraint(
            model_name="ladderrating",
            constraint=models.UniqueConstraint(
                fields=("ladder", "player"), name="one_ladder_rating"
            ),
        ),
        migrations.AddConstraint(
            model_name="ratedseat",
            constraint=models.UniqueConstraint(fields=("game", "seat"), name="one_rated_seat"),
        ),
    ]
