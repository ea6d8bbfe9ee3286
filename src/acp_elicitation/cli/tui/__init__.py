"""The chat on a full screen: `acp-elicit chat --ui tui`. Importing it needs Textual."""
