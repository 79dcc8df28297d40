package flex

import "schedgap/models/flex"

// All lists the package's algorithms in the order in which reports show them.
var All = []*flex.Algorithm{Flex, Generic, LocalSearch, Fair, FIFO, FIFOMin, SPT, WSPT, EDD, MooreHodgson, Given, BestKnown}
