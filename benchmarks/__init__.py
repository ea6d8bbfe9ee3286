"""What one question costs, beside the official SDKs and a floor (`make bench`)."""
