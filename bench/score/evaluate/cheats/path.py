# asks the schedgap in PATH
from honest import *
finish(lambda: oracle("schedgap"))
