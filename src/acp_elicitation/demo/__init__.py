"""An agent to try a client with: `python -m acp_elicitation.demo`."""
