"""`acp-elicit connect`: the pages behind an agent's links, and what users have granted by them."""
