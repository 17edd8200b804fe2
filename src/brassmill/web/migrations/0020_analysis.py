"""Analyses of finished games, analysis boards, and games that begin at a moment of another one."""

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

from brassmill.web.models import token


class Migration(migrations.Migration):
    dependencies = [("web", "0019_puzzles")]

    operations = [
        migrations.AddField("table", "begun_at", models.PositiveSmallIntegerField(default=0)),
        migrations.CreateModel(
            "GameAnalysis",
            [
                (
                    "id",
                    models.CharField(
                        default=token, max_length=12, primary_key=True, serialize=False
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analysis",
                        to="web.table",
                    ),
                ),
                (
                    "upload",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analyses",
                        to="web.upload",
                    ),
                ),
                ("game", models.PositiveSmallIntegerField(default=1)),
                ("digest", models.CharField(max_length=64)),
                ("visitor", models.CharField(blank=True, db_index=True, max_length=32)),
                ("at", models.DateTimeField(default=timezone.now)),
                ("actions", models.PositiveSmallIntegerField()),
                ("done", models.PositiveSmallIntegerField(default=0)),
                ("waits", models.BooleanField(default=True)),
                ("leased_by", models.CharField(blank=True, default="", max_length=16)),
                ("leased_until", models.DateTimeField(null=True)),
            ],
            {
                "verbose_name_plural": "analyses",
                "indexes": [
                    models.Index(
                        fields=["at"], condition=models.Q(waits=True), name="analyses_to_do"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=["upload", "game"], name="one_analysis"),
                    models.UniqueConstraint(
                        fields=["visitor"],
                        condition=models.Q(waits=True),
                        name="one_waiting_analysis",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "Judgement",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "analysis",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="judgements",
                        to="web.gameanalysis",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("body", models.JSONField()),
            ],
            {
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=["analysis", "number"], name="one_judgement")
                ],
            },
        ),
        migrations.CreateModel(
            "AnalysisBoard",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "analysis",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="boards",
                        to="web.gameanalysis",
                    ),
                ),
                ("visitor", models.CharField(db_index=True, max_length=32)),
                ("start", models.PositiveSmallIntegerField()),
                ("clicks", models.JSONField(default=list)),
                ("variations", models.JSONField(default=list)),
                ("touched", models.DateTimeField(db_index=True, default=timezone.now)),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(fields=["analysis", "visitor"], name="one_board")
                ]
            },
        ),
    ]
