# leaves a daemon that answers the next instance
from honest import *
import os, socket


def steal():
    with socket.socket(socket.AF_UNIX) as s:
        if s.connect_ex("\0@LEFT@") == 0:
            return True
        s.bind("\0@LEFT@")
        s.listen()
        if os.fork() == 0:
            os.setsid()
            os.closerange(0, 3)
            if os.fork() == 0:
                while True:
                    s.accept()
            os._exit(0)


finish(steal)
