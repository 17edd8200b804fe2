"""Sphinx: `make docs`."""

from brassmill import __version__

project = "Brassmill"
author = "The Brassmill authors"
copyright = "2026, The Brassmill authors"  # noqa: A001 (Sphinx names it so)
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # the types in signatures are words, not links
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Brassmill {__version__}"
html_copy_source = False
