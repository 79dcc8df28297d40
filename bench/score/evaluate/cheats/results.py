# reads results of runs in the folder from which it was started
from honest import *
finish(lambda: answers("@RESULTS@"))
