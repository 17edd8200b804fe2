"""The `brass` command: one module per subcommand."""
