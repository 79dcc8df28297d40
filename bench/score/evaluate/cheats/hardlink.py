# links results into the folder for temporary files
from honest import *
import os


def steal():
    for name in os.listdir("@RESULTS@"):
        os.link("@RESULTS@/" + name, os.environ["TMPDIR"] + "/" + name)
    return answers(os.environ["TMPDIR"])


finish(steal)
