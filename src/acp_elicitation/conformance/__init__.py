"""What the protocol demands of either side, id by id, and checks of live peers against it."""
