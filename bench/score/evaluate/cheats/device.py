# sees by a record lock on /dev/null that another instance runs at the same time
from honest import *
import fcntl, time


def steal():
    f, end = open("/dev/null", "w"), time.time() + 2
    while time.time() < end:
        try:
            fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as e:
            return e.errno in (11, 13)
        time.sleep(0.05)


finish(steal)
