"""Stories in a browser: a package, because fixtures with that scope need one."""
