"""Django's settings. All data is in one folder, `BRASSMILL_HOME`."""

from __future__ import annotations

import os
import secrets
from hashlib import sha256
from pathlib import Path
from wsgiref.headers import Headers

from csp.constants import NONE, SELF

from brassmill.cli.saved_games import home
from brassmill.web.server import database, mail_backend, network, site_url

HERE = Path(__file__).parent
HOME = home()
KEY_FILE = HOME / "secret.key"

DEBUG = False
# Several machines share a key through the environment. Without a prepared home
# (`server/home.py`) the key lasts as long as the process.
SECRET_KEY = os.environ.get("BRASSMILL_SECRET_KEY", "") or (
    KEY_FILE.read_text() if KEY_FILE.exists() else secrets.token_urlsafe(48)
)
LOCAL_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
# The host names a proxy serves this site under, and whether it does so by https.
NAMES = [name.strip() for name in os.environ.get("BRASSMILL_HOSTS", "").split(",") if name.strip()]
IS_HTTPS = os.environ.get("BRASSMILL_HTTPS", "") == "1"
ALLOWED_HOSTS = LOCAL_HOSTS + NAMES
HAS_ADMIN = os.environ.get("BRASSMILL_ADMIN", "") != "0"  # are there pages for operators?

ROOT_URLCONF = "brassmill.web.urls"
ASGI_APPLICATION = "brassmill.web.asgi.application"
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.messages",  # for the admin
    "django.contrib.admin.apps.SimpleAdminConfig",  # its pages are in admin.py
    "django.contrib.staticfiles",
    "django_htmx",
    "brassmill.web",
]
MIDDLEWARE = [
    "brassmill.web.server.metrics.counted",
    "brassmill.web.server.middleware.language",
    "django.middleware.security.SecurityMiddleware",
    "brassmill.web.server.middleware.Compressed",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "brassmill.web.identity.tokens.ByToken",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "brassmill.web.accounts.former_cookie.former_cookie",
    "django.middleware.common.CommonMiddleware",
    "brassmill.web.identity.tokens.CsrfForPages",
    "brassmill.web.identity.auth.SignedIn",
    "django.contrib.messages.middleware.MessageMiddleware",
    "brassmill.web.server.middleware.private",
    "brassmill.web.server.middleware.Storable",
    "brassmill.web.server.middleware.Patient",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [HERE / "templates"],
        "OPTIONS": {"environment": "brassmill.web.page.templating.environment"},
    },
    {  # the admin's own
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [HERE / "staff" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    },
]
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

DATABASES = {"default": database.settings_of(os.environ.get("DATABASE_URL", ""), HOME)}
CACHES = {"default": database.cache_of(os.environ.get("DATABASE_URL", ""))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
DATETIME_FORMAT = "Y-m-d H:i"  # in the admin; pages for players have their own words
USE_I18N = False  # the words come from brassmill.language

# E-mails: the mail server, the sender, and the origin of links. `mail/queue.py` sends them.
globals().update(mail_backend.settings_of(os.environ.get("BRASSMILL_EMAIL_URL", ""), HOME))
if backend := os.environ.get("BRASSMILL_EMAIL_BACKEND", ""):
    EMAIL_BACKEND = backend
# May hosts send invitations by e-mail?
MAIL_INVITATIONS = os.environ.get("BRASSMILL_MAIL_INVITATIONS", "") != "0"
# May the server send push messages and webhooks, and to which private networks?
OUTGOING = os.environ.get("BRASSMILL_OUTGOING", "") != "0"
OUTGOING_NETWORKS = network.listed(os.environ.get("BRASSMILL_OUTGOING_NETWORKS", ""))
SITE = site_url.read(os.environ.get("BRASSMILL_URL", ""))
if not SITE and NAMES and not NAMES[0].startswith("."):
    SITE = f"{'https' if IS_HTTPS else 'http'}://{NAMES[0]}"
DEFAULT_FROM_EMAIL = os.environ.get("BRASSMILL_EMAIL_FROM", "") or (
    f"Brassmill <brassmill@{NAMES[0].lstrip('.') if NAMES else 'localhost'}>"
)

STATIC_URL = "static/"
WHITENOISE_USE_FINDERS = True  # serve from the packages, without collectstatic
WHITENOISE_MAX_AGE = 365 * 24 * 3600  # URLs change with the file (templating.static)


def ask_for_scripts(headers: Headers, path: str, url: str) -> None:
    """Make browsers revalidate scripts, which import each other by plain names.

    The same goes for the files of Django's admin, whose URLs have no version.
    """
    if path.endswith(".js") or url.startswith("/static/admin/"):
        headers["Cache-Control"] = "no-cache"


WHITENOISE_ADD_HEADERS_FUNCTION = ask_for_scripts

# A cookie session holds the visitor's key or sign-in, and whose hand is shown: it is small, and
# reading it needs no query.
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
SESSION_SERIALIZER = "django.contrib.sessions.serializers.JSONSerializer"
# Cookies ignore ports: two homes served from one machine need different names.
SESSION_COOKIE_NAME = f"brassmill_{sha256(SECRET_KEY.encode()).hexdigest()[:8]}"
FORMER_SESSION_COOKIE = ""  # its name before the site had https
SESSION_COOKIE_AGE = 400 * 24 * 3600  # the longest that browsers allow
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "brassmill_csrf"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "brassmill.web.server.errors.csrf_failure"
if IS_HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    CSRF_TRUSTED_ORIGINS = [f"https://{name}" for name in NAMES]
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    # Browsers take a cookie with this prefix only by https and only from this very host, so no
    # neighbour under the same domain can plant one.
    FORMER_SESSION_COOKIE = SESSION_COOKIE_NAME
    SESSION_COOKIE_NAME = f"__Host-{SESSION_COOKIE_NAME}"
    CSRF_COOKIE_NAME = f"__Host-{CSRF_COOKIE_NAME}"
    SECURE_HSTS_SECONDS = 365 * 24 * 3600

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{rule}"}
    for rule in (
        "MinimumLengthValidator",
        "UserAttributeSimilarityValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
PASSWORD_RESET_TIMEOUT = 24 * 3600

DATA_UPLOAD_MAX_MEMORY_SIZE = 4_000_000  # `asgi.py` has lower limits

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "without tokens": {"()": "brassmill.web.server.log_filter.WithoutTokens"},
        "without health": {"()": "brassmill.web.server.log_filter.WithoutHealth"},
        "brief": {"()": "brassmill.web.server.log_filter.Brief"},
        "seldom": {"()": "brassmill.web.server.log_filter.Seldom"},
        "faults seldom": {"()": "brassmill.web.server.log_filter.FaultsSeldom"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["without health", "without tokens", "faults seldom"],
        },
        "bad requests": {"class": "logging.StreamHandler", "filters": ["brief"]},
    },
    "loggers": {
        "django": {"handlers": ["console"], "level": "ERROR", "propagate": False},
        "django.security": {"handlers": ["bad requests"], "level": "ERROR", "propagate": False},
        "uvicorn.error": {"filters": ["seldom"]},  # of too many connections or malformed requests
        "psycopg.pool": {"level": "ERROR"},  # it warns on every failed attempt
    },
}
