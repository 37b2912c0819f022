"""A sweep on a full disk or a read-only one ends with 3 and says where, damages nothing, and goes on when it can.

usage: test_full_disk.py ROPEWALK    (the built program; exit 77 where no tmpfs can be mounted or h5dump is not installed)

The disk is a tmpfs in a mount namespace of the test's own, which root may have, and anybody where user namespaces are allowed.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from toy_sweep import OFTEN, STAGED, Sweep, dump_files, end, wait_until

KIB = 1024
PAGE = os.sysconf("SC_PAGE_SIZE")
DISK = 8 * 1024 * KIB  # bytes
ADVICE = "cannot write: No space left on device; free some space there, or choose another place (--out, --csv, --output)"
ONE_BY_ONE = ("--jobs", "1", "--threads", "2", "--save-every", "1000")  # saves at the end of a run alone: the same at any speed
FIRST_STAGES = ("--only", "position-*-seed-0-validation*")


class Disks(unittest.TestCase):
    program = None

    @classmethod
    def setUpClass(cls):
        directory = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.sweep = Sweep(cls.program, directory, steps=60, config=STAGED)
        cls.sweep.run("undisturbed", "--jobs", "2")
        cls.expected = cls.sweep.outcome("undisturbed")

    def setUp(self):
        self.disk = pathlib.Path(tempfile.mkdtemp())
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", self.disk], check=True)
        self.addCleanup(lambda: (subprocess.run(["umount", self.disk], check=True), self.disk.rmdir()))
        self.out = self.disk / "results"

    def fill(self, room=0):
        """Leaves so many bytes free."""
        facts = os.statvfs(self.disk)
        with open(self.disk / "ballast", "wb") as ballast:
            os.posix_fallocate(ballast.fileno(), 0, facts.f_bavail * facts.f_frsize - room)
        self.assertEqual(os.statvfs(self.disk).f_bavail * facts.f_frsize, room)

    def make_room(self):
        (self.disk / "ballast").unlink()

    def ropewalk(self, *arguments):
        """(exit code, standard output and error)"""
        done = subprocess.run([self.sweep.program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace")
        return done.returncode, done.stdout

    def run_sweep(self, *options):
        return self.ropewalk(*self.sweep.command(self.out, *options)[1:])

    def contents(self):
        return {path: path.read_bytes() for path in self.out.rglob("*") if path.is_file()}

    def expect_full(self, code, output):
        """The files that could not be written, by their names below the results."""
        self.assertEqual(code, 3, output)
        self.assertNotIn("LOG ERROR", output)
        found = re.findall(rf"{self.out}/(\S+): {re.escape(ADVICE)}", output)
        self.assertTrue(found, output)
        return found

    def expect_it_goes_on(self):
        self.make_room()
        code, output = self.run_sweep()
        self.assertEqual(code, 0, output)
        found = self.sweep.outcome(self.out)
        self.assertEqual(found.keys(), self.expected.keys())
        self.assertEqual([key for key in found if found[key] != self.expected[key]], [])
        self.assertEqual(list(self.out.rglob(".*partial*")), [])

    def test_wherever_the_room_ends(self):
        index = (self.sweep.directory / "undisturbed/toy/index.h5").stat().st_size
        only_index = -(-index // PAGE) * PAGE // KIB
        unwritten = set()
        for room in (0, only_index, 48, 128, 272, 336, 768):
            with self.subTest(KiB=room):
                self.fill(room * KIB)
                unwritten |= {pathlib.Path(name).name for name in self.expect_full(*self.run_sweep(*ONE_BY_ONE))}
                files = dump_files(self.out)
                self.assertEqual(self.ropewalk("status", self.out)[0], 0 if files else 3)
                self.expect_it_goes_on()
                shutil.rmtree(self.out)
        self.assertLessEqual({"config.yaml", "run.h5", "checkpoint.h5"}, unwritten)  # the index alone stops nothing

    def test_in_a_later_stage(self):
        self.assertEqual(self.run_sweep(*FIRST_STAGES)[0], 0)
        before = self.contents()
        self.assertEqual(sum(path.name == "checkpoint.h5" for path in before), 2)
        self.fill(144 * KIB)
        (name, *_) = self.expect_full(*self.run_sweep(*ONE_BY_ONE))
        self.assertRegex(name, "stage-2.*/checkpoint.h5$")
        dump_files(self.out)
        after = self.contents()
        self.assertEqual([path for path in before if path.name != "index.h5" and before[path] != after[path]], [])
        code, output = self.ropewalk("status", self.out)
        self.assertEqual(code, 0)
        self.assertRegex(output, r"2 done")
        self.expect_it_goes_on()

    def test_while_it_is_under_way(self):
        long = ("--set", "train.steps=2000", "--set", "train.stages=[]")
        process = subprocess.Popen(self.sweep.command(self.out, *long, *OFTEN), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True)
        self.addCleanup(end, process)
        wait_until(lambda: len(list(self.out.glob("toy/*/checkpoint.h5"))) == 2, "checkpoints", process)
        self.fill()
        output = process.communicate()[0]
        self.expect_full(process.returncode, output)
        dump_files(self.out)
        saved = self.contents()
        self.assertRegex(self.ropewalk("status", self.out)[1], "2 runs: 2 stopped")
        self.expect_full(*self.run_sweep(*long))
        self.assertEqual({path: data for path, data in self.contents().items() if path.suffix == ".h5"},
                         {path: data for path, data in saved.items() if path.suffix == ".h5"})
        self.make_room()
        code, output = self.run_sweep(*long)
        self.assertEqual(code, 0, output)
        self.assertEqual(len(re.findall(r"resumed at step [1-9]", output)), 2, output)
        self.sweep.run("long", *long)
        self.assertEqual(self.sweep.outcome(self.out), self.sweep.outcome("long"))

    def test_a_read_only_disk(self):
        self.assertEqual(self.run_sweep(*FIRST_STAGES)[0], 0)
        before = self.contents()
        subprocess.run(["mount", "-o", "remount,ro", self.disk], check=True)
        for out in (self.out, self.disk / "new"):
            code, output = self.ropewalk(*self.sweep.command(out)[1:])
            self.assertEqual(code, 3, output)
            self.assertRegex(output, rf"{out}/toy/\S+: .*: Read-only file system; .*choose another place with --out")
        run = self.sweep.runs(self.out)[0]
        for command in (["status", self.out], ["report", self.out], ["evaluate", run],
                        ["generate", run, "--prompt", "rope", "--tokens", 5]):
            code, output = self.ropewalk(*command)
            self.assertEqual(code, 0, output)
        self.assertEqual(self.contents(), before)
        subprocess.run(["mount", "-o", "remount,rw", self.disk], check=True)
        self.fill(DISK // 2)
        self.expect_it_goes_on()


def own_mounts():
    """A command before another that gives it mounts of its own; None if nobody here may have that."""
    with tempfile.TemporaryDirectory() as directory:
        for unshare in (["unshare", "--map-root-user", "--mount"], ["unshare", "--mount"]):
            probe = subprocess.run([*unshare, "mount", "-t", "tmpfs", "none", directory], capture_output=True, check=False)
            if probe.returncode == 0:
                return unshare
    return None


if __name__ == "__main__":
    if "--mounted" in sys.argv:
        sys.argv.remove("--mounted")
        Disks.program = str(pathlib.Path(sys.argv.pop(1)).resolve())
        unittest.main()
    if not (shutil.which("h5dump") and shutil.which("unshare")):
        print("skipped: h5dump or unshare is not installed (hdf5-tools, util-linux)")
        sys.exit(77)
    unshare = own_mounts()
    if unshare is None:
        print("skipped: no tmpfs can be mounted: neither root nor allowed a user namespace")
        sys.exit(77)
    os.execvp(unshare[0], [*unshare, sys.executable, *sys.argv, "--mounted"])
