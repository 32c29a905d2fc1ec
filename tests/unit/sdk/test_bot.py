"""What an author writes, and when it is called."""

from __future__ import annotations

from typing import Any

import pytest

from arena_rules.shelfie import SHELFIE
from arena_sdk import BatchBot, Bot, GameStarted, MoveApplied, TimeControl
from arena_sdk.codec import codec_of, write_event
from arena_sdk.events import NewsWanted, TurnRequested
from arena_sdk.player import Player
from arena_sdk.testing import play
from arena_sdk.v1 import referee_pb2 as pb
from tests.pages import blocks
from tests.tree import ROOT
from tests.unit.sdk.authors import AskedBot, CountingBot, DiaryBot, FirstBot, RandomBot

README = ROOT / "sdk" / "README.md"


def test_the_bot_of_the_guide_has_at_most_ten_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first thing that the guide shows is a whole bot, short enough to type in, and it plays."""
    code = next(blocks(str(README), README.read_text())).text
    assert len(code.splitlines()) <= 10
    shown: list[Bot] = []
    monkeypatch.setattr("arena_sdk.client.run", shown.append)
    exec(compile(code, "bot.py", "exec", dont_inherit=True), {"__name__": "__main__"})  # noqa: S102 - what the page shows
    assert play([shown[0], RandomBot()], "shelfie", seed=3).outcome.ranks


def test_a_bot_must_choose() -> None:
    """A bot without `choose` is refused when it is made, not in mid-game."""
    with pytest.raises(TypeError, match="choose"):
        Bot()  # type: ignore[abstract]
    with pytest.raises(TypeError, match="choose_many"):
        BatchBot()  # type: ignore[abstract]


class Eager(DiaryBot):
    news_at_once = True


class DeafButEager(FirstBot):
    news_at_once = True


@pytest.mark.parametrize(
    ("bot", "wanted"),
    [
        (FirstBot(), NewsWanted.NEVER),
        (DeafButEager(), NewsWanted.NEVER),
        (DiaryBot(), NewsWanted.WITH_TURN),
        (Eager(), NewsWanted.AT_ONCE),
    ],
)
def test_who_listens_is_told(bot: Bot, wanted: NewsWanted) -> None:
    """News comes to bots that have a `heard` of their own, at once if they say so, and costs the others nothing."""
    assert bot.news is wanted


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_story_of_a_game(players: int) -> None:
    """A bot is told of the start, of every move of the others before it is asked again, and of the end."""
    bot = DiaryBot()
    played = play([bot, *(RandomBot() for _ in range(players - 1))], "shelfie", seed=5)
    words = bot.words()
    assert (words[0], words[-1]) == ("started", "ended")
    assert (words.count("started"), words.count("ended")) == (1, 1)
    asked, heard = bot.told("asked"), bot.told("heard")
    assert asked == list(range(0, len(played.moves), players))
    moves = dict(enumerate(played.moves))
    assert [(news.turn, str(news.move)) for news in heard] == [(t, m) for t, m in moves.items() if t not in asked]
    assert all(isinstance(news, MoveApplied) and news.seat == news.turn % players for news in heard)
    assert words[1 : players + 2] == ["asked", *["heard"] * (players - 1), "asked"]
    assert bot.told("ended")[0].outcome == played.outcome
    assert bot.told("ended")[0].verdict == ""


def test_one_table_for_the_whole_game() -> None:
    """All that a bot is told in one game comes with the same table, which says what is played and where it sits."""
    bot = DiaryBot()
    play([RandomBot(), RandomBot(), bot], "shelfie", seed=5, edition="it")
    tables = {id(table): table for _, table, _ in bot.diary}
    (table,) = tables.values()
    assert (table.game, table.players, table.seat) == ("shelfie", 3, 2)
    assert table.start.options == SHELFIE.rules("it")
    assert table.start.time.unlimited


def test_notes_last_as_long_as_the_game() -> None:
    """What a bot writes down during a game is there at its next turn, and gone in the next game."""
    seen: list[int] = []

    def count(turn: Any) -> Any:
        turn.table.notes["turns"] = turn.table.notes.get("turns", 0) + 1
        seen.append(turn.table.notes["turns"])
        return turn.legal[0]

    bot = AskedBot(count)
    for _ in range(2):
        play([bot, FirstBot()], "shelfie", seed=1)
    half = len(seen) // 2
    assert seen == [*range(1, half + 1)] * 2


def test_chance_from_the_turn_is_reproducible() -> None:
    """Bots that draw from `turn.rng` play the same game again from the same seed, and another one from another."""
    games = [play([RandomBot(), RandomBot()], "shelfie", seed=seed) for seed in (11, 11, 12)]
    assert games[0] == games[1]
    assert games[0].moves != games[2].moves


def test_every_seat_has_chance_of_its_own() -> None:
    """Two copies of a bot at one table do not draw the same numbers, and another game gives other numbers."""
    draws: dict[tuple[int, int], float] = {}
    for seed in (1, 2):

        def note(turn: Any, seed: int = seed) -> Any:
            draws.setdefault((seed, turn.table.seat), turn.rng.random())
            return turn.legal[0]

        play([AskedBot(note) for _ in range(4)], "shelfie", seed=seed)
    assert len(set(draws.values())) == 8


def test_moves_may_be_written_as_text() -> None:
    """A bot that answers in notation plays the same game as one that answers with moves."""
    text = AskedBot(lambda turn: str(turn.rng.choice(turn.legal)))
    assert play([text, text], "shelfie", seed=4) == play([RandomBot(), RandomBot()], "shelfie", seed=4)


# ── many games at once ──────────────────────────────────────────────────────────────────────────────────────────────


def opening(*games: int) -> pb.PlayResponse:
    """The message that opens these games of two and asks for the first move in all of them."""
    response = pb.PlayResponse()
    for number in games:
        state, codec = SHELFIE.deal(2, number), codec_of("shelfie")
        start = GameStarted(SHELFIE, SHELFIE.rules(), 2, 0, number, TimeControl())
        for event in (start, TurnRequested(0, state.view(0), 0)):
            write_event(event, codec, response.events.add(game=number))
    return response


def test_a_batch_of_turns_is_one_call() -> None:
    """A bot for many games gets all turns of a message in one call, and each game gets its own answer."""
    bot = CountingBot()
    answer = Player(bot).hear(opening(4, 9, 2))
    assert bot.batches == [3]
    wanted = {number: SHELFIE.deal(2, number).legal_moves()[number - 1] for number in (4, 9, 2)}
    chosen = {event.game: event.move_chosen.shelfie for event in answer.events}
    assert {game: (move.cells, move.column) for game, move in chosen.items()} == {
        game: (move.cells, move.column) for game, move in wanted.items()
    }
    assert len(set(wanted.values())) == 3


def test_a_simple_bot_gets_the_turns_of_a_batch_one_by_one() -> None:
    """A bot that knows nothing of batches can be in many games too, each with a table of its own."""
    bot = DiaryBot()
    answer = Player(bot).hear(opening(4, 9, 2))
    assert [event.game for event in answer.events] == [4, 9, 2]
    assert [table.number for word, table, _ in bot.diary if word == "asked"] == [4, 9, 2]


def test_a_batch_bot_plays_single_games_too() -> None:
    """Where one move is asked for, a bot for many games is asked for one."""
    bot = CountingBot()
    assert play([bot, FirstBot()], "shelfie", seed=1) == play([FirstBot(), FirstBot()], "shelfie", seed=1)
    assert set(bot.batches) == {1}
    assert bot.games_at_once > FirstBot().games_at_once == 1


@pytest.mark.parametrize("too_many", [-1, 1])
def test_a_batch_must_be_answered_in_full(too_many: int) -> None:
    """A bot that gives more or fewer moves than it was asked for is told so, with both numbers."""
    with pytest.raises(ValueError, match=f"asked for 2 moves and gave {2 + 2 * max(0, too_many) + min(0, too_many)}"):
        Player(CountingBot(too_many)).hear(opening(1, 2))
