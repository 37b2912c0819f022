"""Every config of bad_configs.py is refused in so many words, soon and without much memory.

usage: test_bad_configs.py ROPEWALK    (the built program)
"""
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

from bad_configs import CASES, NAMES

MOST_SECONDS = 1.0  # of processor time
MOST_BYTES = 200e6


class BadConfigs(unittest.TestCase):
    program = None

    def check(self, case):
        """(exit code, standard output, standard error) of `ropewalk check` in a directory that holds the case alone."""
        with tempfile.TemporaryDirectory() as place:
            directory = pathlib.Path(place)
            files = dict(case.files) if case.config is None else {"bad.yaml": case.config, **case.files}
            for name, content in files.items():
                path = directory / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
            sets = [word for setting in case.sets for word in ("--set", setting)]
            done = subprocess.run([self.program, "check", "bad.yaml", *sets], cwd=directory, capture_output=True, timeout=60)
            return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_each_is_refused_in_so_many_words(self):
        schemes = subprocess.run([self.program, "list", "schemes"], capture_output=True, text=True, check=True).stdout
        kinds = ", ".join(line.split(":")[0] for line in schemes.splitlines() if not line.startswith(" "))
        names = {**NAMES, "{schemes}": kinds}
        for subject, cases in CASES.items():
            for case in cases:
                with self.subTest(f"{subject}: {case.name}"):
                    before = resource.getrusage(resource.RUSAGE_CHILDREN)
                    code, output, errors = self.check(case)
                    after = resource.getrusage(resource.RUSAGE_CHILDREN)
                    self.assertEqual(errors, re.sub("|".join(map(re.escape, names)), lambda name: names[name[0]], case.says) + "\n")
                    self.assertEqual((code, output), (case.code, ""))
                    self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, MOST_SECONDS)
                    self.assertLess(after.ru_maxrss * 1024, MOST_BYTES, "the largest so far")

    def test_there_are_enough_and_no_two_alike(self):
        cases = [case for subject in CASES.values() for case in subject]
        self.assertGreaterEqual(len(cases), 80)
        self.assertEqual(len({(case.config, case.sets, str(case.files)) for case in cases}), len(cases))


if __name__ == "__main__":
    BadConfigs.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
