"""`acp-elicit trace`: a recorded conversation as a timeline of its questions and answers."""
