"""The whole suite of the store is run on SQLite and on a real PostgreSQL."""

from tests.stores import file, kind, nowhere, place, postgres, store, url

__all__ = ["file", "kind", "nowhere", "place", "postgres", "store", "url"]
