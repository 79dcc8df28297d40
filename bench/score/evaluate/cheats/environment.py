# reads a secret in the environment of its caller
from honest import *
import os
finish(lambda: "SCHEDGAP_SECRET" in os.environ)
