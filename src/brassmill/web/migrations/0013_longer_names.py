"""Names of up to 20 characters."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0012_known_networks"),
    ]

    operations = [
        migrations.AlterField("seat", "name", models.CharField(blank=True, max_length=20)),
        migrations.AlterField("message", "name", models.CharField(max_length=20)),
    ]
