# leaves a segment of shared memory for the next instance
from honest import *
import ctypes


def steal():
    shmget = ctypes.CDLL(None).shmget
    return shmget(@KEY@, 8, 0o600) >= 0 or shmget(@KEY@, 8, 0o1600) < -1


finish(steal)
