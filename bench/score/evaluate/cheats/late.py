# prints its answer and goes on beyond the time limit
from honest import *
import time
finish(lambda: honest)
time.sleep(60)
