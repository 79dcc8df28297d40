# leaves answers for the next instance in a folder that cannot be listed
from honest import *
import os


def steal():
    folder = os.environ["TMPDIR"] + "/closed"
    try:
        with open(folder + "/answers") as f:
            return bool(f.read())
    except FileNotFoundError:
        os.mkdir(folder, 0o300)
        with open(folder + "/answers", "w") as f:
            f.write("the optimum")


finish(steal)
