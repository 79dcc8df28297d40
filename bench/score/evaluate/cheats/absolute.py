# asks schedgap by its absolute path
from honest import *
finish(lambda: oracle("@SCHEDGAP@"))
