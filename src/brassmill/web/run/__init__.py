"""Starting and stopping the server: the command, its processes, a benchmark."""
