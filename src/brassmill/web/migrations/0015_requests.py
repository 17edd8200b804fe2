"""Tables store what their players ask each other, and the turns that they plan ahead."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0014_hints_between_people"),
    ]

    operations = [
        migrations.AddField("table", "requests", models.JSONField(default=list)),
        migrations.AddField("table", "plans", models.JSONField(default=dict)),
    ]
