"""Between Python types, the schema of a form, and values."""
