"""Run by Alembic, inside the transaction that `arena.store.schema` has begun."""

from __future__ import annotations

from alembic import context

from arena.store.tables import Row

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Row.metadata,
    render_as_batch=True,  # SQLite changes a table by making another one
)
context.run_migrations()
