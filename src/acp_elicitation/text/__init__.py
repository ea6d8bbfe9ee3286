"""Making text fit to be shown: escaping, and the wording of problems."""
