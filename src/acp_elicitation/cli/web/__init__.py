"""The chat in a web page: `acp-elicit chat --ui web`. Importing it needs Starlette and uvicorn."""
