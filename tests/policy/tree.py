"""What the policy checks share: the files of the checkout, and how a finding is reported."""
import os
import signal
import subprocess
import sys

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on
ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1
                       else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
GENERATED = ("build", "runs", ".git", "__pycache__")  # where git is absent; else .gitignore says


def files(*endings):
    """Paths relative to ROOT, tracked or new but not ignored, with one of the endings (all without any)."""
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "-co", "--exclude-standard"],
                             capture_output=True, text=True, check=False) if _is_repository() else None
    if listing is not None and listing.returncode == 0:
        found = [p for p in listing.stdout.split("\0") if p]
    else:
        found = []
        for folder, inner, names in os.walk(ROOT):
            inner[:] = [d for d in inner if d not in GENERATED]
            found += [os.path.relpath(os.path.join(folder, n), ROOT) for n in names]
    found = sorted(set(p for p in found if os.path.isfile(os.path.join(ROOT, p))))
    return [p for p in found if not endings or p.endswith(endings)]


def _is_repository():
    return os.path.exists(os.path.join(ROOT, ".git"))


def text(path):
    """The text of a file, or None for a binary one."""
    with open(os.path.join(ROOT, path), "rb") as file:
        data = file.read()
    return None if b"\0" in data[:8192] else data.decode("utf-8", "replace")


class Findings:
    """Findings of one check, printed as file:line: words; the exit code is 1 with any."""

    def __init__(self, check):
        self.check, self.count = check, 0

    def add(self, path, line, words):
        self.count += 1
        print(f"{path}:{line}: {words}")

    def finish(self, looked_at):
        if looked_at == 0:
            print(f"{self.check}: found no file to look at")
            self.count += 1
        print(f"{self.check}: {looked_at} files, {self.count} findings")
        sys.exit(1 if self.count else 0)
