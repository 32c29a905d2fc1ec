"""Match records as JSON: a plain object with the fields of `MatchRecord`.

Enums are their words, numbers are numbers, and the outcome has one entry per seat:

    {"termination": "completed", "seats": [{"rank": 1, "score": 31, "parts": {"groups": 19, ...}}, ...]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from arena.archive.sheet import check_totals
from arena.errors import BadRecord
from arena.record import MatchRecord

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def to_json(record: MatchRecord) -> dict[str, Any]:
    """The record as plain dictionaries, lists, texts and numbers."""
    spec = replace(record.spec, options=dict(record.spec.options))
    form: dict[str, Any] = _adapter().dump_python(replace(record, spec=spec), mode="json")
    if record.outcome is not None:
        form["outcome"] = {
            "termination": record.outcome.termination.value,
            "seats": [
                {"rank": rank, "score": score.total, "parts": dict(score.parts)}
                for rank, score in zip(record.outcome.ranks, record.outcome.scores, strict=True)
            ],
        }
    return form


def from_json(form: Mapping[str, Any]) -> MatchRecord:
    """The record that `to_json` wrote. Raises BadRecord."""
    from pydantic import ValidationError

    try:
        outcome = form["outcome"]
        shaped = {**form, "outcome": None if outcome is None else _outcome_fields(outcome)}
        record = _adapter().validate_json(json.dumps(shaped), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "it"
        raise BadRecord(f"the JSON is not a match record: {place}: {first['msg'].lower()}") from None
    except (KeyError, TypeError, AttributeError):
        raise BadRecord("the JSON is not a match record: outcome: not as `arena match` writes it") from None
    if len(record.lineup) != len(record.spec.lineup):
        raise BadRecord("it does not say what was played and by whom")
    if record.outcome is not None:
        check_totals([seat["score"] for seat in form["outcome"]["seats"]], record.outcome.scores)
    return record


def _outcome_fields(outcome: Mapping[str, Any]) -> dict[str, Any]:
    seats = outcome["seats"]
    return {
        "ranks": [seat["rank"] for seat in seats],
        "scores": [{"parts": list(seat["parts"].items())} for seat in seats],
        "termination": outcome["termination"],
    }


@cache
def _adapter() -> TypeAdapter[MatchRecord]:
    from pydantic import TypeAdapter

    return TypeAdapter(MatchRecord)
