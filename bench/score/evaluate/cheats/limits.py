# sets limits on its parent
from honest import *
import os, resource
finish(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0, 0)))
