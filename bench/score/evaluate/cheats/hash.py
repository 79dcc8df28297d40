# has a table by hashes of instance files
from honest import *
import hashlib
finish(lambda: hashlib.sha256(text.encode()).hexdigest() in "@HASHES@")
