"""A Slurm of one node on this machine, for the length of a test: nothing of it is left, and a configured one is not touched."""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "scancel", "sinfo", "setpriv")
CPUS = 2
START_SECONDS = 60

CONFIG = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={munge_socket},cred_expire=5
CredType=cred/munge
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd.pid
SlurmctldLogFile={directory}/slurmctld.log
SlurmdLogFile={directory}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
PlugStackConfig={directory}/plugstack.conf
ReturnToService=2
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MaxArraySize={max_array_size}
KillWait=10
NodeName={host} NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


def missing_programs():
    """What has to be installed first; the daemons are where only root looks."""
    return [name for name in PROGRAMS if not find(name)]


def find(name):
    return shutil.which(name, path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")


def version():
    """(22, 5) of `slurm 22.05.8`."""
    text = subprocess.run([find("slurmd"), "-V"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in text.split()[1].split(".")[:2])


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """A context: daemons are up inside it and gone after it, however it ends. `environment` is that of its clients."""

    def __init__(self, max_array_size=1001):
        self.max_array_size = max_array_size
        self.daemons = []

    def __enter__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="slurm-"))
        self.environment = dict(os.environ, SLURM_CONF=str(self.directory / "slurm.conf"))
        try:
            self.configure()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.processes():  # daemons, and jobs, which outlive them
            os.kill(process, signal.SIGKILL)
        for daemon in self.daemons:
            daemon.wait()
        shutil.rmtree(self.directory, ignore_errors=True)  # a killed one may have been at writing

    def processes(self):
        """Everything that was started with this cluster's configuration in its environment, this process's children or not."""
        own = f"SLURM_CONF={self.environment['SLURM_CONF']}\0".encode()
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if own in (process / "environ").read_bytes():
                    found.append(int(process.name))
            except OSError:  # ended just now, or is somebody else's
                pass
        return found

    def configure(self):
        os.chmod(self.directory, 0o755)  # munged trusts no socket that others could replace
        for name in ("state", "spool"):
            (self.directory / name).mkdir()
        key = self.directory / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        control_port, node_port = free_ports(2)
        (self.directory / "plugstack.conf").write_text("")
        if version() >= (24, 5):  # an older one knows no such plugin, and does without control groups by itself
            (self.directory / "cgroup.conf").write_text("CgroupPlugin=disabled\n")
        (self.directory / "slurm.conf").write_text(CONFIG.format(
            directory=self.directory, host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.getuid()).pw_name,
            munge_socket=self.directory / "munge.socket", cpus=CPUS, max_array_size=self.max_array_size,
            control_port=control_port, node_port=node_port))

    def start(self):
        at = self.directory
        self.daemon("munged", "--foreground", "--force", f"--socket={at}/munge.socket", f"--key-file={at}/munge.key",
                    f"--pid-file={at}/munged.pid", f"--log-file={at}/munged.log", f"--seed-file={at}/munged.seed")
        self.wait_until(lambda: (at / "munge.socket").exists(), "munged to open its socket")
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        self.wait_until(lambda: "idle" in self.client("sinfo", "-h", "-o", "%t"), "the node to be idle")

    def daemon(self, name, *options):
        with open(self.directory / f"{name}.out", "wb") as output:
            # They end with this process, also if that is killed.
            command = ["setpriv", "--pdeathsig", "KILL", find(name), *options]
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                                                 stderr=output, start_new_session=True))

    def client(self, *command):
        """What a client program of Slurm prints, errors included."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return done.stdout + done.stderr

    def wait_until(self, condition, what, seconds=START_SECONDS):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline or any(daemon.poll() is not None for daemon in self.daemons):
                raise AssertionError(f"waited for {what}\n{self.logs()}")
            time.sleep(0.1)

    def queue(self):
        """[element, state, reason] of every element that is not over, such as ["7_1", "R", "None"]."""
        return [line.split(maxsplit=2) for line in self.client("squeue", "-h", "-r", "-o", "%i %t %r").splitlines()]

    def wait_until_idle(self, seconds=START_SECONDS):
        self.wait_until(lambda: not self.queue(), "the queue to be empty", seconds)

    def logs(self):
        text = [f"{path.name}:\n{path.read_text(errors='replace')[-3000:]}" for path in sorted(self.directory.glob("*.log"))]
        return "\n".join(text + [self.client("squeue", "-a")])
