"""Elicitation for a client that has none: a proxy between any client and any agent."""
