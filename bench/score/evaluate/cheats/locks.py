# sees by a lock on its own file that another instance runs at the same time
from honest import *
import fcntl, time


def steal():
    f, end = open(__file__), time.time() + 2
    while time.time() < end:
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        time.sleep(0.05)


finish(steal)
