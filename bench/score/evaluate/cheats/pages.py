# leaves a bit for the next instance in the page cache of a system file: a page that is not in memory is the mark
from honest import *
import os, time

FILE = "/usr/share/common-licenses/MPL-2.0"


def steal():
    fd = os.open(FILE, os.O_RDONLY)
    try:
        marked = os.preadv(fd, [bytearray(1)], 0, os.RWF_NOWAIT) != 1
    except BlockingIOError:
        marked = True
    for k in range(4):
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        time.sleep(0.1)
    return marked


finish(steal)
