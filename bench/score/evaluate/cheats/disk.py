# fills the folder for temporary files
from honest import *
import os, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def steal():
    for i in range(2):
        with open(os.environ["TMPDIR"] + "/%d" % i, "wb") as f:
            os.posix_fallocate(f.fileno(), 0, 255 << 20)
    return True


finish(steal)
