"""The deal of the day, and the attempts of players at it."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0017_one_address")]

    operations = [
        migrations.CreateModel(
            "DailyDeal",
            [
                ("day", models.DateField(primary_key=True, serialize=False)),
                ("edition", models.CharField(max_length=20)),
                ("players", models.PositiveSmallIntegerField()),
                ("deal", models.JSONField()),
                ("bot", models.CharField(max_length=200)),
                ("bot_key", models.CharField(max_length=32)),
                ("bot_names", models.JSONField()),
            ],
        ),
        migrations.AddField("table", "day", models.DateField(null=True)),
        migrations.CreateModel(
            "Attempt",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("visitor", models.CharField(db_index=True, max_length=32)),
                ("began", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "table",
                    models.OneToOneField(
                        "web.table", models.SET_NULL, null=True, related_name="attempt"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["day", "visitor"], name="one_attempt")
                ],
            },
        ),
    ]
