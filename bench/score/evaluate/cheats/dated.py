# leaves a time of its own file for the next instance
from honest import *
import os


def steal():
    found = os.stat(__file__).st_mtime == 86400
    os.utime(__file__, (86400, 86400))
    return found


finish(steal)
