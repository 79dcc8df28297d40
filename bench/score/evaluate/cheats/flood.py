# prints 10 GB
from honest import *
while True:
    sys.stdout.write(" " * (1 << 20))
