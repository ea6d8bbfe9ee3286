"""Elicitation between the Agent Client Protocol and MCP, the Model Context Protocol."""
