"""The asking side: an agent that puts questions to the user of its client."""
