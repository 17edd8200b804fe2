"""`brass admin`: the operator's commands."""
