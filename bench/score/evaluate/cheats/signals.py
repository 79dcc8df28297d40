# sends signals to its parent
from honest import *
import os, signal


def steal():
    for s in signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1, signal.SIGSTOP, signal.SIGKILL:
        try:
            os.kill(os.getppid(), s)
        except OSError:
            pass


finish(steal)
