"""Elicitation for hosts that are built on something else: the official Python SDK, MCP."""
