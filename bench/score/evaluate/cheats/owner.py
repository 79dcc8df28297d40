# has the kernel kill its parent when something moves in a pipe
from honest import *
import fcntl
import os


def steal():
    for file in 0, 1, 2:
        for owner in os.getppid(), -os.getppid(), 1:
            fcntl.fcntl(file, fcntl.F_SETOWN, owner)
            fcntl.fcntl(file, 10, 9)  # F_SETSIG, SIGKILL
            fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) | os.O_ASYNC)


finish(steal)
