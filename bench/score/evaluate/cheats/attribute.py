# leaves an extended attribute of its own file for the next instance
from honest import *
import os


def steal():
    found = "user.left" in os.listxattr(__file__)
    os.setxattr(__file__, "user.left", b"x")
    return found


finish(steal)
