# traces its parent and reads its memory
from honest import *
import ctypes, os


def steal():
    parent = os.getppid()
    attached = ctypes.CDLL(None).ptrace(16, parent, None, None) == 0
    try:
        with open("/proc/%d/mem" % parent, "rb"):
            return True
    except OSError:
        return attached or os.path.exists("/proc/%d/fd/0" % parent)


finish(steal)
