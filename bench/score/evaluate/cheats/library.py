# reads the library
from honest import *
finish(lambda: answers("@LIBRARY@"))
