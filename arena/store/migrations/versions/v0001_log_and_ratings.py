"""The log, the versions of the bots, and the book of ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ORDERED_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "bots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", ORDERED_TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
        sa.UniqueConstraint("name", name="uq_bots_name"),
    )
    op.create_table(
        "pools",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pools"),
        sa.UniqueConstraint("game", "players", "tournament", name="uq_pools_game_players_tournament"),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", ORDERED_TEXT, nullable=False),
        sa.Column("opened_us", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("definition", sa.JSON(), nullable=False),
        sa.Column("definition_sha256", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("through", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
    )
    op.create_table(
        "fits",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name="fk_fits_pool_id"),
        sa.PrimaryKeyConstraint("pool_id", name="pk_fits"),
    )
    op.create_table(
        "folds",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("through", sa.BigInteger(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name="fk_folds_pool_id"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_folds_tournament_id"),
        sa.PrimaryKeyConstraint("pool_id", "tournament_id", name="pk_folds"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "matches",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("index", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("block", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=False),
        sa.Column("elapsed_us", sa.BigInteger(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("forfeits", sa.Integer(), nullable=False),
        sa.Column("termination", sa.Text(), nullable=True),
        sa.Column("void", sa.Boolean(), nullable=False),
        sa.Column("void_reason", sa.Text(), nullable=False),
        sa.Column("lenient", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_matches_tournament_id"),
        sa.PrimaryKeyConstraint("tournament_id", "index", "attempt", name="pk_matches"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_matches_forfeited",
        "matches",
        ["started_us", "tournament_id", "index", "attempt", "game", "players", "forfeits"],
        unique=False,
        sqlite_where=sa.text("forfeits > 0"),
        postgresql_where=sa.text("forfeits > 0"),
    )
    op.create_index(
        "ix_matches_game",
        "matches",
        ["game", "started_us", "tournament_id", "index", "attempt", "players", "forfeits", "void"],
        unique=False,
    )
    op.create_index(
        "ix_matches_newest",
        "matches",
        ["started_us", "tournament_id", "index", "attempt", "players", "forfeits", "void"],
        unique=False,
    )
    op.create_index(
        "ix_matches_tournament",
        "matches",
        ["tournament_id", "started_us", "index", "attempt", "players", "forfeits", "void"],
        unique=False,
    )
    op.create_index(
        "ix_matches_void",
        "matches",
        ["started_us", "tournament_id", "index", "attempt", "game", "players", "void"],
        unique=False,
        sqlite_where=sa.text("void = 1"),
        postgresql_where=sa.text("void"),
    )
    op.create_index(
        "uq_matches_counting",
        "matches",
        ["tournament_id", "index"],
        unique=True,
        sqlite_where=sa.text("void = 0"),
        postgresql_where=sa.text("NOT void"),
    )
    op.create_table(
        "tallies",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("key", ORDERED_TEXT, nullable=False),
        sa.Column("numbers", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name="fk_tallies_pool_id"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_tallies_tournament_id"),
        sa.PrimaryKeyConstraint("pool_id", "tournament_id", "key", name="pk_tallies"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=True),
        sa.Column("submitted_us", sa.BigInteger(), nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column("retired_us", sa.BigInteger(), nullable=True),
        sa.Column("trusted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_versions_bot_id"),
        sa.ForeignKeyConstraint(["parent_id"], ["versions.id"], name="fk_versions_parent_id"),
        sa.PrimaryKeyConstraint("id", name="pk_versions"),
        sa.UniqueConstraint("bot_id", "content_hash", name="uq_versions_bot_id_content_hash"),
        sa.UniqueConstraint("bot_id", "number", name="uq_versions_bot_id_number"),
    )
    op.create_table(
        "history",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("index", sa.BigInteger(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name="fk_history_pool_id"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_history_tournament_id"),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name="fk_history_version_id"),
        sa.PrimaryKeyConstraint("pool_id", "version_id", "tournament_id", "index", name="pk_history"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "packs",
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name="fk_packs_version_id"),
        sa.PrimaryKeyConstraint("version_id", name="pk_packs"),
    )
    op.create_table(
        "ratings",
        sa.Column("pool_id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("rank_sum", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("forfeits", sa.Integer(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["pool_id"], ["pools.id"], name="fk_ratings_pool_id"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_ratings_tournament_id"),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name="fk_ratings_version_id"),
        sa.PrimaryKeyConstraint("pool_id", "tournament_id", "version_id", name="pk_ratings"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_ratings_version_id", "ratings", ["version_id"], unique=False)
    op.create_table(
        "records",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("index", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "index", "attempt"],
            ["matches.tournament_id", "matches.index", "matches.attempt"],
            name="fk_records_tournament_id_index_attempt",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "index", "attempt", name="pk_records"),
    )
    op.create_table(
        "seats",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("index", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("started_us", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("forfeit", sa.Text(), nullable=True),
        sa.Column("think_us", sa.BigInteger(), nullable=False),
        sa.Column("cpu_us", sa.BigInteger(), nullable=True),
        sa.Column("peak_kb", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_seats_bot_id"),
        sa.ForeignKeyConstraint(
            ["tournament_id", "index", "attempt"],
            ["matches.tournament_id", "matches.index", "matches.attempt"],
            name="fk_seats_tournament_id_index_attempt",
        ),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name="fk_seats_version_id"),
        sa.PrimaryKeyConstraint("tournament_id", "index", "attempt", "seat", name="pk_seats"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_seats_bot",
        "seats",
        ["bot_id", "started_us", "tournament_id", "index", "attempt", "version_id", "players", "rank", "forfeit"],
        unique=False,
    )
    op.create_index(
        "ix_seats_forfeited",
        "seats",
        ["bot_id", "started_us", "tournament_id", "index", "attempt", "version_id", "players", "forfeit"],
        unique=False,
        sqlite_where=sa.text("forfeit IS NOT NULL"),
        postgresql_where=sa.text("forfeit IS NOT NULL"),
    )
