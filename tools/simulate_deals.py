"""Simulates how far a deal moves a round's chance, and how tricks are distributed.

The figures in the docstring of `scorer.engine.equity`: `python -m tools.simulate_deals`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from statistics import mean, pvariance

from scorer.engine import REGIONS, RuleSet, rules_of
from scorer.engine.play.simulation import HAND_SIZE, deal, play
from scorer.engine.rules.cards import pack

DEALS, ROUNDS = 200, 30
Hands = tuple[tuple[str, ...], ...]


def spread(rules: RuleSet, again: Callable[[Hands], Hands], rng: Random) -> float:
    """The standard deviation of side 0's chance over deals, corrected for sampling noise.

    :param again: hands for another round, from those first dealt
    """
    found = []
    for _ in range(DEALS):
        hands = deal(rules, 4, rng)
        rounds = (play(rules, rng, hands=again(hands)) for _ in range(ROUNDS))
        found.append(mean(one.winner == 0 for one in rounds))
    noise = mean(won * (1 - won) / (ROUNDS - 1) for won in found)
    return float(max(pvariance(found) - noise, 0.0) ** 0.5)


def main() -> None:
    rng = Random(1)
    for region in REGIONS:
        rules = rules_of(region)

        def others(hands: Hands, rules: RuleSet = rules) -> Hands:
            """The same hands for side 0, new ones for side 1."""
            rest = [card for card in pack(rules.deck) if card not in hands[0] + hands[2]]
            rng.shuffle(rest)
            return (
                hands[0],
                tuple(rest[:HAND_SIZE]),
                hands[2],
                tuple(rest[HAND_SIZE : 2 * HAND_SIZE]),
            )

        own, all_four = spread(rules, others, rng), spread(rules, lambda hands: hands, rng)
        tricks = Counter(play(rules, rng).taken for _ in range(DEALS * ROUNDS))
        shares = {count: round(tricks[count] / tricks.total(), 2) for count in sorted(tricks)}
        print(f"{region:16} own hands {own:.2f}   all hands {all_four:.2f}   tricks {shares}")


if __name__ == "__main__":
    main()
