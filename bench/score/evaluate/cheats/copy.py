# asks a copy of schedgap under another name
from honest import *
finish(lambda: oracle("@COPY@"))
