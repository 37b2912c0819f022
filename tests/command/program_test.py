"""What tests of the built program share: a directory with a small sweep in it, and calls of the program from there."""
import pathlib
import subprocess
import tempfile
import unittest

from toy_sweep import Sweep


class ProgramTest(unittest.TestCase):
    program = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.sweep = Sweep(pathlib.Path(self.program).resolve(), self.directory, steps=20)

    def ropewalk(self, *arguments):
        """(exit code, standard output, standard error)"""
        done = subprocess.run([self.sweep.program, *map(str, arguments)], cwd=self.directory, capture_output=True, text=True,
                              errors="replace")
        return done.returncode, done.stdout, done.stderr
