# uses more slots than there are
from honest import *
finish(lambda: made((0, work, {name: 1 for name in names})))
