# lowers all processes of its user for good
from honest import *
import os


def steal():
    os.setpriority(os.PRIO_USER, 0, 19)
    return True


finish(steal)
