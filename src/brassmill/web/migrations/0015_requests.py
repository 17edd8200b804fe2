"""Tables store what their players ask each other."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0013_longer_names"),
    ]

    operations = [
        migrations.AddField("table", "requests", models.JSONField(default=list)),
    ]
