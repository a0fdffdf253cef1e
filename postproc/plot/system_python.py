"""The system's Python in the place of one, of pyenv or conda perhaps, that lacks what the reports want: the
system's packages bring that to the former."""
import importlib.util
import os
import signal
import subprocess
import sys

# the package kolmo, of this checkout
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "python"))

SYSTEM, MODULES = "/usr/bin/python3", ("h5py", "matplotlib", "numpy")


def instead(modules):
    """Starts the script again there and does not return; returns where it runs there already, or where that
    has not the modules either."""
    # not in a venv
    itself = os.path.realpath(sys.executable) == os.path.realpath(SYSTEM) and sys.prefix == sys.base_prefix
    if itself or not os.path.exists(SYSTEM):
        return
    if subprocess.run([SYSTEM, "-c", "import " + ", ".join(modules)], capture_output=True,
                      check=False).returncode == 0:
        os.execv(SYSTEM, [SYSTEM, os.path.abspath(sys.argv[0]), *sys.argv[1:]])


def require(script, name, modules=MODULES):
    """Before numpy and h5py are imported by a script of that name, whose __name__ is given: goes on in the
    system's Python where one of the modules is missing and that has them; without these two the script ends
    with exit code 2. It also ends, without a word, when nobody reads what it prints any more, as behind
    `| head`."""
    if name == "__main__":
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    missing = [m for m in modules if importlib.util.find_spec(m) is None]
    if missing and name == "__main__":
        instead(modules)
    missing = [m for m in missing if m != "matplotlib"]  # wanted for figures alone
    if missing:
        print(f"{script}: no module {' and '.join(missing)}; install python3-numpy and python3-h5py",
              file=sys.stderr)
        sys.exit(2)
