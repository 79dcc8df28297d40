# has a table by the names of instances
from honest import *
finish(lambda: instance["name"].startswith("rotate-"))
