# prints its answer and dies
from honest import *
import os
finish(lambda: honest)
os.abort()
