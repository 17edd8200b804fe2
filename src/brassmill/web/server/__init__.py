"""What every page needs and no feature owns: database, events, templates, errors, metrics."""
