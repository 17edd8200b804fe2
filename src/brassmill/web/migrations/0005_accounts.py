"""Accounts, the browsers they are signed in with, and who wrote a message."""

import secrets

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import brassmill.web.models


class Migration(migrations.Migration):
    dependencies = [
        ("web", "0004_who_plays"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=150)),
                (
                    "key",
                    models.CharField(default=brassmill.web.models.key, max_length=32, unique=True),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SignIn",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=secrets.token_urlsafe,
                        max_length=43,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_ins",
                        to="web.account",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            "message",
            "author",
            models.CharField(blank=True, db_index=True, default="", max_length=32),
        ),
    ]
