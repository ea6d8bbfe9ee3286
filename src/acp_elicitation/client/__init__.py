"""The answering side: a client that shows an agent's questions to its user."""
