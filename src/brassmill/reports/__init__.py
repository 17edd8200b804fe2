"""Reports: standalone HTML pages with charts and tables."""
