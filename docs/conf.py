"""Sphinx: `make docs`."""

from brassmill import __version__

project = "Brassmill"
author = "The Brassmill authors"
copyright = "2026, The Brassmill authors"  # noqa: A001 (Sphinx names it so)
version = release = __version__

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
nitpicky = True
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Brassmill {__version__}"
html_copy_source = False
