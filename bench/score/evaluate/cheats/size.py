# has a table by sizes of instance files
from honest import *
finish(lambda: str(len(text)) in "@SIZES@".split())
