# takes 10 GB of memory
from honest import *
finish(lambda: bytearray(b"x") * (10 << 30) and honest)
