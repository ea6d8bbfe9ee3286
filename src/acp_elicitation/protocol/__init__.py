"""What is said: the messages of elicitation as data, and their rules."""
