"""How tests/oracle/check_program.py answers those who only look, or look too early; it needs no PyTorch for that."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1] / "oracle" / "check_program.py"


def check_program(*arguments):
    return subprocess.run([sys.executable, PROGRAM, *arguments], capture_output=True, text=True)


class CheckProgram(unittest.TestCase):
    def test_help(self):
        done = check_program("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("BUILD_DIR", done.stdout)

    def test_no_build_directory_is_a_usage_error(self):
        done = check_program()
        self.assertEqual(done.returncode, 2)
        self.assertIn("required: BUILD_DIR", done.stderr)

    def test_a_directory_without_the_programs_says_what_builds_them(self):
        with tempfile.TemporaryDirectory() as directory:
            (Path(directory) / "ropewalk").touch()
            done = check_program(directory)
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected dump_training_steps in it; run scripts/setup first", done.stderr)


if __name__ == "__main__":
    unittest.main()
