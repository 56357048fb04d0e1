"""Line charts."""

import re
from itertools import pairwise

import pytest

from scorer.web.frame.svg_charts import Series, line_chart

LETTER_WIDTH = 8
PLACE = re.compile(r'<text class="place" x="([\d.]+)" y="\d+">([^<]+)<')


@pytest.mark.parametrize("count", range(1, 60))
def test_labels_do_not_touch(count):
    labels = ["Runde 1", *map(str, range(2, count + 1))]
    chart = line_chart([Series("Anna", [[0] * count])], labels, "Punkte")
    places = [(float(x), len(text) * LETTER_WIDTH / 2) for x, text in PLACE.findall(chart)]
    assert len(places) > min(count, 5) / 2
    for (x, half), (next_x, next_half) in pairwise(places):
        assert x + half + 3 < next_x - next_half
