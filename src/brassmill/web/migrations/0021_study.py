"""Analysis boards of records, and comments; tables that begin from a position."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0020_analysis")]

    operations = [
        migrations.AlterField(
            model_name="analysisboard",
            name="analysis",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="boards",
                to="web.gameanalysis",
            ),
        ),
        migrations.AddField(
            model_name="analysisboard",
            name="upload",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="boards",
                to="web.upload",
            ),
        ),
        migrations.AddField(
            model_name="analysisboard",
            name="game",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="analysisboard",
            name="comments",
            field=models.JSONField(default=list),
        ),
        migrations.AddConstraint(
            model_name="analysisboard",
            constraint=models.UniqueConstraint(
                fields=("upload", "game", "visitor"), name="one_record_board"
            ),
        ),
        migrations.AddField(
            model_name="archive",
            name="position",
            field=models.TextField(blank=True, default=""),
        ),
    ]
