"""`brass admin`: what who runs a server does from the command line."""
