# leaves a child that its parent takes for its own
from honest import *
import ctypes
import glob
import os
import time

CLONE_PARENT, SIGCHLD = 0x8000, 17


def steal():
    kept = [path for path in glob.glob("/proc/[0-9]*/comm") if open(path).read() == "keeper\n"]
    clone = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    if ctypes.CDLL(None).syscall(clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0:
        os.setsid()
        ctypes.CDLL(None).prctl(15, b"keeper")  # PR_SET_NAME
        for file in range(3):
            os.close(file)
        time.sleep(30)
        os._exit(0)
    return kept


finish(steal)
