"""Every claim of bad_claims.py is refused in so many words, by `check` and by `verify`, before anything is run.

usage: test_bad_claims.py ROPEWALK    (the built program)
"""
import pathlib
import re
import shutil
import sys
import unittest

from bad_claims import CASES, FILES, GOOD, NAMES
from toy_claim import CLAIM, ClaimTest

RUN = re.compile(r"position-(\w+)-seed-(\d)-\S+")


class BadClaims(ClaimTest):
    def said(self, command, *arguments, code):
        """The lines on standard error; ids of runs shortened."""
        shutil.rmtree(self.directory / "results", ignore_errors=True)  # of a mistake that went unnoticed
        output, errors = self.ropewalk(command, *arguments, code=code)
        self.assertEqual(output, "")
        self.assertFalse((self.directory / "results").exists(), "it ran something")
        return RUN.sub(lambda run: f"{{{run[1]} {run[2]}}}", errors).splitlines()

    def write_all(self, claim, files):
        self.write("bad.yaml", claim)
        for name, text in {**FILES, **files}.items():
            self.write(name, text)

    def test_each_is_refused_in_so_many_words(self):
        for subject, cases in CASES.items():
            for case in cases:
                expected = [re.sub("|".join(map(re.escape, NAMES)), lambda name: NAMES[name[0]], line) for line in case.says]
                self.write_all(case.claim(), case.files)
                for command in ("check", "verify"):
                    with self.subTest(f"{subject}: {case.name}", command=command):
                        self.assertEqual(self.said(command, "bad.yaml", code=case.code), expected)

    def test_the_good_one_is_fine(self):
        self.write_all(GOOD, {})
        self.assertEqual(self.ropewalk("check", "bad.yaml"), ("bad.yaml: fine, 12 of the 36 runs of toy.yaml\n", ""))
        self.assertEqual(self.said("check", "bad.yaml", "--set", "alone=true", code=2),
                         ["bad.yaml: expected no --set for a claim, got alone=true"])

    def test_mistakes_of_all_claims_are_said(self):
        self.write_all(GOOD, {"worse.yaml": GOOD.replace("alone: false", "alone: 2"),
                              "worst.yaml": GOOD.replace("[seed]", "seed")})
        said = ["worse.yaml:11:8: alone: expected true or false, got 2",
                "worst.yaml:12:7: pair: expected a list with at least one element, got seed"]
        for command in ("check", "verify"):
            with self.subTest(command):
                self.assertEqual(self.said(command, "worse.yaml", "worst.yaml", code=2), said)

    def test_a_claim_is_no_config(self):
        self.write_all(GOOD, {})
        for command in ("run", "plan"):
            with self.subTest(command):
                self.assertEqual(self.said(command, "bad.yaml", code=2),
                                 ["bad.yaml: expected a config, got a claim; `ropewalk verify bad.yaml` runs what it looks at"])

    def test_a_missing_text_is_said_by_both(self):
        self.write_all(GOOD, {})
        (self.directory / "text.txt").unlink()
        for command in ("check", "verify"):
            with self.subTest(command):
                (line,) = self.said(command, "bad.yaml", code=3)
                self.assertIn("corpus text.txt: expected a text, found nothing; ", line)

    def test_an_evaluation_that_the_text_does_not_allow_is_said_before_training(self):
        cases = {
            "task.corpus: none.txt": (3, "corpus none.txt: expected a text, found nothing; "),
            "task.validation: 0.9": (2, "evaluations.linear: task.validation: expected at most 0.2, got 0.9: the run was trained "
                                        "on the rest of this text"),
        }
        self.write_study()
        for setting, (code, says) in cases.items():
            self.write("bad.yaml", CLAIM.replace("{model.position.scaling: {kind: linear, factor: 2}}", f"{{{setting}}}"))
            for command in ("check", "verify"):
                with self.subTest(setting, command=command):
                    self.assertIn(says, "\n".join(self.said(command, "bad.yaml", code=code)))

    def test_no_two_alike(self):
        claims = [(case.claim(), str(case.files)) for cases in CASES.values() for case in cases]
        self.assertGreaterEqual(len(claims), 90)
        self.assertEqual(len(set(claims)), len(claims))


if __name__ == "__main__":
    ClaimTest.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
