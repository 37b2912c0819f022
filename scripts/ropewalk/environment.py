"""The Python that has the modules we need: the checkout's .venv."""
import os
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def enter_venv():
    """Starts this program again under .venv/bin/python, unless that is what runs it. Call it before importing anything heavy."""
    venv = REPOSITORY / ".venv"
    python = venv / "bin" / "python"
    if Path(sys.prefix).resolve() == venv.resolve():
        return
    if not python.exists():
        sys.exit(f"{sys.argv[0]}: expected {python}, which scripts/setup makes; run scripts/setup first")
    os.execv(python, [str(python), *sys.argv])
