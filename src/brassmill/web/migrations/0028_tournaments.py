"""Tournaments and leagues, and tables that are held back until their round is over."""

import datetime

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import brassmill.web.models.base


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0027_clubs"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="held",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="table",
            name="tournament",
            field=models.CharField(blank=True, default="", max_length=12),
        ),
        migrations.CreateModel(
            name="Tournament",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=brassmill.web.models.base.token,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("about", models.CharField(blank=True, default="", max_length=500)),
                ("key", models.CharField(default=brassmill.web.models.base.key, max_length=32)),
                ("style", models.CharField(max_length=12)),
                ("edition", models.CharField(max_length=20)),
                ("options", models.JSONField(default=dict)),
                ("size", models.PositiveSmallIntegerField()),
                ("clock", models.CharField(max_length=12)),
                ("rated", models.BooleanField(default=False)),
                ("duplicate", models.BooleanField(default=False)),
                ("late", models.BooleanField(default=True)),
                ("most", models.PositiveSmallIntegerField()),
                ("rounds", models.PositiveSmallIntegerField(default=0)),
                ("season", models.PositiveSmallIntegerField(default=0)),
                ("division", models.PositiveSmallIntegerField(default=0)),
                ("movers", models.PositiveSmallIntegerField(default=0)),
                ("interval", models.DurationField(default=datetime.timedelta)),
                ("lasting", models.DurationField(null=True)),
                ("starts", models.DateTimeField()),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended", models.DateTimeField(null=True)),
                ("state", models.CharField(db_index=True, default="open", max_length=10)),
                ("site", models.CharField(blank=True, default="", max_length=200)),
                (
                    "organiser",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="organised",
                        to="web.account",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TournamentPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("is_reserve", models.BooleanField(default=False)),
                ("is_out", models.BooleanField(default=False)),
                ("division", models.PositiveSmallIntegerField(default=0)),
                ("rank", models.PositiveSmallIntegerField(default=0)),
                ("waits_since", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="entered",
                        to="web.account",
                    ),
                ),
                (
                    "stands_for",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="web.tournamentplayer",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entrants",
                        to="web.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="TournamentRound",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("began", models.DateTimeField()),
                ("ended", models.DateTimeField(null=True)),
                ("deals", models.JSONField(default=dict)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rounds_played",
                        to="web.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
            },
        ),
        migrations.CreateModel(
            name="TournamentTable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("division", models.PositiveSmallIntegerField(default=0)),
                ("is_decided", models.BooleanField(default=False)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="web.tournamentround",
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="in_tournament",
                        to="web.table",
                    ),
                ),
            ],
            options={
                "ordering": ("round", "number"),
            },
        ),
        migrations.CreateModel(
            name="TournamentSeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("rank", models.PositiveSmallIntegerField(default=0)),
                ("vp", models.SmallIntegerField(default=0)),
                ("why", models.CharField(blank=True, default="", max_length=10)),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="web.tournamentplayer",
                    ),
                ),
                (
                    "at",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="web.tournamenttable",
                    ),
                ),
            ],
            options={
                "ordering": ("seat",),
            },
        ),
        migrations.AddConstraint(
            model_name="tournamentplayer",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="one_entrant"),
        ),
        migrations.AddConstraint(
            model_name="tournamentplayer",
            constraint=models.UniqueConstraint(
                fields=("tournament", "account"), name="one_entry_each"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournamentround",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="one_round"),
        ),
        migrations.AddConstraint(
            model_name="tournamentseat",
            constraint=models.UniqueConstraint(fields=("at", "seat"), name="one_place"),
        ),
    ]
