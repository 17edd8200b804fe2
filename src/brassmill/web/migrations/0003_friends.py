"""Tables with friends: open seats and the links to them, the lobby, the chat."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0002_several_processes")]

    operations = [
        migrations.AddField("table", "gathering", models.BooleanField(default=False)),
        migrations.AddField("table", "listed", models.BooleanField(default=False)),
        migrations.AddField(
            "table", "standby", models.CharField(default="apprentice", max_length=200)
        ),
        migrations.AddField(
            "seat", "invite", models.CharField(blank=True, default="", max_length=12)
        ),
        migrations.AddField(
            "seat", "handover", models.CharField(blank=True, default="", max_length=12)
        ),
        migrations.AddField(
            "seat", "former", models.CharField(blank=True, default="", max_length=32)
        ),
        migrations.AddField("table", "overheard", models.BooleanField(default=True)),
        migrations.AddField("table", "muted", models.BooleanField(default=False)),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=12)),
                ("text", models.CharField(max_length=500)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="web.table",
                    ),
                ),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visitor", models.CharField(max_length=32)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="web.message",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("message", "visitor"), name="one_report")
                ],
            },
        ),
        migrations.AlterField("seat", "name", models.CharField(blank=True, max_length=12)),
    ]
