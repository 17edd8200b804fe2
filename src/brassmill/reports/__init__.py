"""Reports: HTML pages that stand alone, with charts and tables."""
