"""OAuth 2 and OpenID Connect, on the side of the client: the code flow with PKCE, checked."""
