"""Starting and stopping the server: the command, its processes, backups."""
