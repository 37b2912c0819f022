"""Styles of schemes and series: told apart in colour, by colour-blind eyes and in grey."""
import itertools
import re
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

from ropewalk.colors import (SCHEMES, SEQUENCE, from_linear, from_oklab, scheme_style, sequence, series_styles, shades, to_linear,
                             to_oklab)  # fmt: skip

OFTEN_TOGETHER = ("none", "sinusoidal", "learned", "rope", "alibi", "t5")
# Machado, Oliveira, Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1.
DEUTERANOPIA = [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
PROTANOPIA = [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])


def lab(color):
    """CIELAB, white D65, of "#rrggbb"."""
    relative = XYZ @ to_linear(color) / XYZ.sum(axis=1)
    root = np.where(relative > (6 / 29) ** 3, np.cbrt(relative), relative / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def seen(color, deficiency):
    return from_linear(np.array(deficiency) @ to_linear(color))


def closest(colors):
    """Smallest distance between two of the colours, CIELAB."""
    return min(np.linalg.norm(lab(one) - lab(other)) for one, other in itertools.combinations(colors, 2))


def of(scheme, **settings):
    return SimpleNamespace(scheme=scheme, settings=settings)


def keys(styles):
    return {(style["color"], style["marker"], style["dash"]) for style in styles}


class Schemes(unittest.TestCase):
    def test_every_scheme_of_the_program_has_a_style(self):
        registry = (REPOSITORY / "framework" / "positional" / "registry.cpp").read_text()
        self.assertEqual(set(SCHEMES), set(re.findall(r'\{"(\w+)",(?:[^{}]|\{[^{}]*\})*?make_kind<Scheme,', registry)))

    def test_each_has_a_colour_and_a_marker_of_its_own(self):
        colors, markers, _ = zip(*SCHEMES.values())
        self.assertEqual((len(set(colors)), len(set(markers))), (len(SCHEMES), len(SCHEMES)))
        self.assertGreater(closest(colors), 18)

    def test_colour_blind_eyes_tell_all_apart(self):
        for deficiency in (DEUTERANOPIA, PROTANOPIA):
            self.assertGreater(closest([seen(color, deficiency) for color, _, _ in SCHEMES.values()]), 13)

    def test_those_often_drawn_together_are_far_apart_for_every_eye_and_in_grey(self):
        colors = [SCHEMES[scheme][0] for scheme in OFTEN_TOGETHER]
        self.assertGreater(closest(colors), 40)
        for deficiency in (DEUTERANOPIA, PROTANOPIA):
            self.assertGreater(closest([seen(color, deficiency) for color in colors]), 30)
        lightness = sorted(lab(color)[0] for color in colors)
        self.assertGreater(min(np.diff(lightness)), 9.5)
        self.assertLess(lightness[-1], 80)  # white has 100

    def test_a_scheme_alone_looks_the_same_in_any_company(self):
        companies = [[of(other), of("rope", base=10000.0)] for other in SCHEMES if other != "rope"]
        self.assertEqual(len(keys(series_styles(company)[1] for company in companies)), 1)
        self.assertEqual(series_styles([of("rope", base=10000.0)]), [scheme_style("rope")])

    def test_a_scheme_that_is_not_in_the_table_is_grey(self):
        self.assertEqual(scheme_style("mine")["color"], "#7f7f7f")
        self.assertEqual(scheme_style("mine"), scheme_style("mine"))


class Variants(unittest.TestCase):
    bases = (100.0, 500.0, 1e4, 1e5, 1e6)

    def test_numbers_run_from_dark_to_light_in_their_own_order(self):
        styles = series_styles([of("rope", base=base) for base in reversed(self.bases)])
        self.assertEqual([style["color"] for style in styles], sequence(5)[::-1])
        self.assertEqual(len({style["marker"] for style in styles}), 5)
        self.assertEqual({style["dash"] for style in styles}, {"solid"})

    def test_beside_other_schemes_they_are_shades_of_their_own_colour(self):
        *ropes, alibi = series_styles([*(of("rope", base=base) for base in self.bases), of("alibi")])
        self.assertEqual(alibi, scheme_style("alibi"))
        self.assertEqual([style["color"] for style in ropes], shades(SCHEMES["rope"][0], 5))

    def test_beside_other_schemes_they_have_their_own_marker_filled_and_hollow_in_turns(self):
        ropes = [of("rope", base=base) for base in self.bases]
        markers = lambda *others: [style["marker"] for style in series_styles([*ropes, *others])]
        filled_and_hollow = ["diamond", "diamond-open", "diamond", "diamond-open", "diamond"]
        self.assertEqual(markers(of("alibi"))[:5], filled_and_hollow)
        self.assertEqual(markers(of("xpos")), ["diamond"] * 5 + ["diamond-open"])  # whose own the hollow one is
        hollow = [style["marker"] for style in series_styles([of("abacus", base=1), of("abacus", base=2), of("alibi")])]
        self.assertEqual(hollow, ["square-open", "square", "triangle-down"])

    def test_no_variant_looks_like_another_scheme(self):
        variants = [(scheme, of(scheme, number=number)) for scheme in SCHEMES for number in range(4)]
        owners = {}
        for (scheme, _), style in zip(variants, series_styles([series for _, series in variants])):
            owners.setdefault(style["marker"], set()).add(scheme)
        self.assertEqual({len(schemes) for schemes in owners.values()}, {1})
        dark_and_light = [color for scheme in OFTEN_TOGETHER for color in shades(SCHEMES[scheme][0], 2)]
        self.assertGreater(closest(dark_and_light), 13)

    def test_what_differs_beside_the_number_shows_in_dashes(self):
        grid = list(itertools.product(self.bases, (64, 128)))
        styles = series_styles([of("rope", base=base, length=length) for base, length in grid])
        self.assertEqual(len(keys(styles)), 10)
        for (base, length), style in zip(grid, styles):
            self.assertEqual(style["color"], sequence(5)[self.bases.index(base)])
            self.assertEqual(style["dash"], {64: "solid", 128: "dash"}[length])

    def test_what_a_later_stage_changes_counts_as_it_is_in_the_end(self):
        base, later = "model.position.base", "train.stages[0].position.base"
        bases = (100.0, 500.0, 1e4, 1e6)
        started = [of("rope", **{base: each}) for each in bases]
        tuned = [of("rope", **{base: 1e4, "train.stages[0].length": 256, **({later: each} if each != 1e4 else {})}) for each in bases]
        styles = series_styles([*started, *tuned])
        self.assertEqual([style["color"] for style in styles[4:]], [style["color"] for style in styles[:4]])
        self.assertEqual(len({style["color"] for style in styles}), 4)
        self.assertEqual(len({tuple(style.values()) for style in styles}), 8)

    def test_what_is_no_number_is_told_apart_all_the_same(self):
        styles = series_styles([of("rope", scaling=kind) for kind in ("linear", "none", "yarn")])
        self.assertEqual(len({style["color"] for style in styles}), 3)

    def test_forty_series_have_forty_styles(self):
        crowd = [of(scheme) for scheme in SCHEMES] + [of("t5", buckets=n) for n in range(20)]
        self.assertEqual(len(keys(series_styles(crowd))), 40)
        self.assertEqual(len(keys(series_styles([of("rope", base=float(n)) for n in range(40)]))), 40)

    def test_steps_are_even(self):
        lightness = [lab(color)[0] for color in sequence(9)]
        steps = np.diff(lightness)
        self.assertLess(max(steps) / min(steps), 1.35)
        self.assertLess(lightness[-1], 80)

    def test_colours_survive_the_way_through_oklab(self):
        for color in (*SEQUENCE, "#000000", "#ffffff"):
            self.assertEqual(from_oklab(to_oklab(color)), color)


if __name__ == "__main__":
    unittest.main()
