# stops itself in the middle of its answer, and a child wakes it up beyond the time limit
from honest import *
import os
import signal
import time
print(json.dumps(honest)[:-1], end="", flush=True)
if not os.fork():
    os.setsid()
    time.sleep(2)
    os.kill(os.getppid(), signal.SIGCONT)
    os._exit(0)
os.kill(os.getpid(), signal.SIGSTOP)
print("}")
