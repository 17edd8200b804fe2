"""Uploaded records know their size and network, so that both can be limited."""

from typing import Any

from django.db import migrations, models
from django.utils import timezone


def measure(apps: Any, _editor: Any) -> None:
    """The size of stored records; their networks are unknown."""
    uploads = apps.get_model("web", "Upload").objects
    for upload in uploads.filter(size=0).iterator(100):
        uploads.filter(pk=upload.pk).update(size=len(upload.text.encode()))


class Migration(migrations.Migration):
    dependencies = [("web", "0015_requests")]

    operations = [
        migrations.AlterField(
            "upload", "at", models.DateTimeField(db_index=True, default=timezone.now)
        ),
        migrations.AddField("upload", "size", models.PositiveIntegerField(default=0)),
        migrations.AddField(
            "upload", "network", models.CharField(blank=True, default="", max_length=64)
        ),
        migrations.RunPython(measure, migrations.RunPython.noop),
        migrations.AddIndex("upload", models.Index(fields=["network", "size"], name="upload_room")),
    ]
