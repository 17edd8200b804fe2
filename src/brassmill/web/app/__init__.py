"""The installable app: its description, icons and service worker, and the page without a server."""
