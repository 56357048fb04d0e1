"""Equity: the chance of winning the game from a score, a raise or a decision.

It appears in `bummerl equity` and `POST /api/equity`, the wall table of each region, the look back
at an evening, and the ledger.

The question
------------
At the score (a, b) a side wins the game with chance V(a, b). Where Bummerl count, the solver also
computes B(a, b), the Bummerl a side gets minus those it gives, where each side plays for Bummerl.
Each round adds points, so the scores are solved from the target backwards. Only struck points lead
back to lower scores; these scores are swept until no value changes.

`legal` and `apply` of the engine make every step. The course of a round depends on its opening
value, on which sides are near, on the four and on who is asked, but not on the other points. So
one round of each kind is played through, and all scores of that kind share the result.

The round
---------
Let q be the chance that side 0 wins the round. Let W(n) and L(n) be the value (V or B) after side
0 wins or loses at stake n, and F0(n), F1(n) the value after the other side folds on a raise that
side 0 or side 1 makes at stake n.

*flat* (backgammon: dead): nobody raises, and a decision is made knowing only p, the mean chance.
V = p W + (1 - p) L.

*live*, the default: after the deal both sides know q. It is drawn from nine chances 0.5 + s z,
where z is the standardised binomial of eight coins. They are limited to 0.015 to 0.985 and shifted
on the log-odds until their mean is p. From there q moves continuously and without drift to 0 or 1.
A side that may raise may do so at any moment (Keeler and Spencer 1975; Janowski 1993). With U(n+1)
the value after a raise was accepted, a raise is worth::

    psi0 = min(U(n+1), F0(n))        psi1 = max(U(n+1), F1(n))

since the other side picks the better answer. Waiting for the best moment is worth::

    only side 0 may raise    the least concave curve above psi0 through L(n) at 0 and W(n) at 1
    only side 1 may raise    the greatest convex curve below psi1 through the same ends
    both may raise           the string pulled taut between psi0 and psi1 from L(n) to W(n)
    nobody may raise         the straight line

All curves are piecewise linear and computed corner by corner, without grid or iteration. At a
stake that wins the game for both sides no raise matters. A decision before the play takes the
better of this value and of giving the round away, at that q.

*efficiency* x (Janowski): x parts of the live value and 1 - x of the line without raises.

Parameters
----------
p is 0.5 unless another is asked for. A pair's own p is its share of the rounds it played in a
ledger, with Wilson's interval at 95 percent.

The default is *live* with s = 0.2 and x = 1. Without raises the tables are wrong near the end, by
up to 0.17 of the game in Upper Austria and South Tyrol and 0.08 in Bavaria. The exact spread
matters little: 0.1 or 0.28 change no score by more than 0.04. In simulated rounds
(`python -m tools.simulate_deals`) a side's own two hands move its chance with a standard deviation
of 0.14 to 0.28 by region, 0.20 on average. The model leaves out who deals, bluffs that work,
signals, penalties and the manual `gespannt` of document 004.

Overtricks (F-38): of five even tricks the winner of at least three takes 3, 4 or 5 with 0.625,
0.3125, 0.0625. Simulated rounds give 0.59, 0.34, 0.08.

Take point
----------
The chance of winning the round from which accepting a raise to N is right::

    dead   t = (F(N-1) - L(N)) / (W(N) - L(N)), within 0 and 1       nobody raises again
    live   the smallest q with U(N)(q) >= F(N-1)                      raises continue, played well

The live point is at most the dead one, because accepting buys the right to raise back. This does
not hold in document 004, where the raiser may raise again at once (F-33). A raise is right from
the smallest q at which psi is worth no less than waiting. With a cube that doubles for money the
same code gives 0.2 live and 0.25 dead.

How it is checked
-----------------
The flat tables are compared with a plain recursion over `apply`, the live ones with games played
by `legal` and `apply`, within four standard errors, and the solver with the doubling cube. Other
tests check symmetry, even scores, that more points are never worse but for 17:13 in South Tyrol
without raises (E-28), and the last points across targets. `python -m bench equity` compares the
time of all tables with python-chess."""
