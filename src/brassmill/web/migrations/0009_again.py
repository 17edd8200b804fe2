"""A game that is over knows the table where its players play again."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0008_mends")]

    operations = [
        migrations.AddField(
            "table",
            "sequel",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="web.table",
            ),
        ),
    ]
