# says that it is not made for such instances
from honest import *
sys.exit(77)
