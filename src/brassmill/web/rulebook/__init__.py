"""The rules with pictures, the three games side by side, and the player aids."""
