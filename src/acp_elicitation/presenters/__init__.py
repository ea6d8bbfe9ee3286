"""Ways to show questions: lines in a terminal, a script."""
