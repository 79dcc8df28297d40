# leaves a file for the next instance
from honest import *
import os


def steal():
    folders = "/tmp", "/var/tmp", "/dev/shm", os.environ["TMPDIR"], os.path.dirname(os.environ["TMPDIR"]), os.environ["HOME"], "."
    found = [folder for folder in folders if os.path.exists(folder + "/@LEFT@")]
    for folder in folders:
        try:
            open(folder + "/@LEFT@", "w").close()
        except OSError:
            pass
    return found


finish(steal)
