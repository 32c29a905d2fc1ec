"""How the tables came to their shape, step by step. Alembic runs `env.py`, see `arena.store.schema`."""
