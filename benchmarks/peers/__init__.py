"""One process per contender, each asking the same question of its own client."""
