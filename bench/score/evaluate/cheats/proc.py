# asks the program of a process that it finds in /proc
from honest import *
import os


def steal():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if "python" not in os.readlink("/proc/%s/exe" % pid):
                return oracle("/proc/%s/exe" % pid)
        except (OSError, ValueError):
            pass


os.environ["SCHEDGAP_TEST_PROGRAM"] = "1"  # which the tests' schedgap needs
finish(steal)
