"""The link by which an address gets no more mails is as long as the address."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0007_office")]

    operations = [
        migrations.AlterField("mail", "stop", models.TextField(blank=True, default="")),
    ]
