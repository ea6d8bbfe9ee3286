"""`python -m acp_elicitation.demo`: serve the demo agent on stdin and stdout."""

import asyncio

from acp_elicitation.demo.agent import demo_agent

if __name__ == "__main__":
    asyncio.run(demo_agent().serve_stdio())
