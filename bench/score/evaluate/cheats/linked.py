# reads results through a link beside it, called answers
from honest import *
import os
finish(lambda: answers(os.path.join(os.path.dirname(os.path.abspath(__file__)), "answers")))
