# starts at minus infinity and ends at infinity
from honest import *
honest["intervals"][0]["start"], honest["intervals"][1]["end"] = -float("inf"), float("inf")
finish(lambda: honest)
