"""The ways to know the user of a browser (URL-13): of this machine, by a proxy, by signing in."""
