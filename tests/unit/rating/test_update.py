"""A game of two is rated in closed form: it must come to what the package `trueskill` comes to."""

from __future__ import annotations

import pytest
import trueskill  # type: ignore[import-untyped]  # it has none
from hypothesis import example, given
from hypothesis import strategies as st

from arena.rating import Parameters, Skill
from arena.rating.update import updated

skills = st.builds(Skill, st.floats(0, 50), st.floats(0.3, 10))


@given(
    one=skills,
    other=skills,
    ranks=st.sampled_from([(1, 2), (2, 1), (1, 1)]),
    tau=st.sampled_from([0.0, 25 / 300]),
    ties=st.sampled_from([0.001, 0.05, 0.5]),
)
@example(Skill(25, 25 / 3), Skill(25, 25 / 3), (1, 1), 0.0, 0.05)
def test_a_duel_is_what_the_factor_graph_makes_of_it(
    one: Skill, other: Skill, ranks: tuple[int, int], tau: float, ties: float
) -> None:
    """The same means and deviations, whoever wins or if nobody does."""
    parameters = Parameters(tau=tau, draw_probability=ties)
    library = trueskill.TrueSkill(beta=parameters.beta, tau=tau, draw_probability=ties, backend="mpmath")
    groups = [(library.create_rating(skill.mu, skill.sigma),) for skill in (one, other)]
    expected = [rating for (rating,) in library.rate(groups, ranks=ranks)]
    for found, rating in zip(updated([one, other], ranks, parameters), expected, strict=True):
        assert found.mu == pytest.approx(float(rating.mu), rel=1e-6, abs=1e-6)
        assert found.sigma == pytest.approx(float(rating.sigma), rel=1e-6)
