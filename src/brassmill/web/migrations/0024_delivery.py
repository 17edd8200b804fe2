"""Notification choices, browsers that get push messages, webhooks, and what waits to be sent."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0023_profiles"),
    ]

    operations = [
        migrations.CreateModel(
            name="NotificationChoices",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visitor", models.CharField(max_length=32, unique=True)),
                ("ways", models.JSONField(default=dict)),
                ("quiet_from", models.PositiveSmallIntegerField(default=0)),
                ("quiet_until", models.PositiveSmallIntegerField(default=0)),
                ("zone", models.CharField(default="UTC", max_length=64)),
                ("digest", models.PositiveSmallIntegerField(null=True)),
                ("language", models.CharField(default="en", max_length=2)),
                (
                    "calendar",
                    models.CharField(blank=True, db_index=True, default="", max_length=43),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visitor", models.CharField(db_index=True, max_length=32)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("address", models.TextField()),
                ("key", models.CharField(max_length=120)),
                ("secret", models.CharField(max_length=60)),
                ("language", models.CharField(default="en", max_length=2)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "sign_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="web.signin",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visitor", models.CharField(db_index=True, max_length=32)),
                ("form", models.CharField(max_length=10)),
                ("address", models.TextField()),
                ("chat", models.CharField(blank=True, default="", max_length=64)),
                ("secret", models.CharField(max_length=43)),
                ("language", models.CharField(default="en", max_length=2)),
                ("is_on", models.BooleanField(default=True)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("fault", models.CharField(blank=True, default="", max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="web.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visitor", models.CharField(db_index=True, max_length=32)),
                ("seat", models.PositiveSmallIntegerField(null=True)),
                ("asked", models.DateTimeField(null=True)),
                ("event", models.CharField(max_length=12)),
                ("body", models.JSONField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("next_at", models.DateTimeField(default=django.utils.timezone.now, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("sent", models.DateTimeField(null=True)),
                (
                    "table",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="web.table",
                    ),
                ),
                (
                    "push",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="web.pushsubscription",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="web.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("next_at__isnull", False)),
                        fields=["next_at"],
                        name="deliveries_to_send",
                    )
                ],
            },
        ),
    ]
