# has a table of solutions by the ids of the library
from honest import *
names = ["a", "b", "c"]
finish(lambda: made((0, 1.5 * work, {name: 2 / 3 for name in names})))
