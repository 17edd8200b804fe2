"""The application, as a server takes it."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brassmill.web.settings")

application = get_asgi_application()
