"""Files that are written whole or not at all."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

from ropewalk.output import output_path, replace_file
from ropewalk.runs import InputError, UsageError


class Output(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def test_takes_the_place_of_what_was_there(self):
        path = self.folder / "deep" / "page.html"
        for text in ("old", "new"):
            replace_file(path, lambda temporary: temporary.write_text(text))
            self.assertEqual(path.read_text(), text)
        self.assertEqual([file.name for file in path.parent.iterdir()], ["page.html"])

    def test_what_fails_leaves_what_was_there(self):
        path = self.folder / "page.html"
        path.write_text("old")

        def fail_half_way(temporary):
            temporary.write_text("ne")
            raise OSError(28, "No space left on device")

        with self.assertRaises(InputError) as raised:
            replace_file(path, fail_half_way)
        self.assertEqual(str(raised.exception),
                         f"{path}: cannot be written (No space left on device); choose another place with --output")  # fmt: skip
        self.assertEqual([file.name for file in self.folder.iterdir()], ["page.html"])
        self.assertEqual(path.read_text(), "old")

    def test_a_folder_is_no_place_for_a_file(self):
        with self.assertRaisesRegex(InputError, r"cannot be written \(it is a folder\)"):
            replace_file(self.folder, lambda temporary: temporary.write_text("new"))
        (self.folder / "file").write_text("")
        with self.assertRaisesRegex(InputError, r"cannot be written \((File exists|Not a directory)\)"):
            replace_file(self.folder / "file" / "page.html", lambda temporary: temporary.write_text("new"))

    def test_what_is_said_to_nobody_is_an_error(self):
        code = "from ropewalk.output import say\nfrom ropewalk.runs import InputError\n"
        code += "try:\n    say('a', 'b')\nexcept InputError as error:\n    raise SystemExit(str(error))"
        for place, expected in (("/dev/full", (1, "standard output: cannot be written (No space left on device)\n")),
                                ("/dev/null", (0, ""))):  # fmt: skip
            with self.subTest(place), open(place, "w") as out:
                done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY / "scripts", stdout=out, stderr=subprocess.PIPE,
                                      text=True)  # fmt: skip
                self.assertEqual((done.returncode, done.stderr), expected)

    def test_a_name_is_needed(self):
        self.assertEqual(output_path("a/b"), Path("a/b"))
        for text in ("", ".", "/"):
            with self.assertRaisesRegex(UsageError, "expected a file's name"):
                output_path(text)


if __name__ == "__main__":
    unittest.main()
