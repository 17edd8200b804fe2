"""What every page needs and no feature owns: database, notifications, errors, metrics."""
