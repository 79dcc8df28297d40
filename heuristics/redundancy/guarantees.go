package redundancy

import "schedgap/models"

// The theorems of Xu, Lau et al. 2018 bound ratios up to a constant. At speed s with ε to spare the shape is:

// srptShape states Theorem 1, which is about machines that are not shared.
var srptShape = &models.Guarantee{
	Doc: "Theorem 1 of Xu, Lau et al. 2018: (1+ε)-speed O(1/ε)-competitive without multitasking", Shape: true,
	Ratio: func(features map[string]any, _ string, speed float64) (float64, bool) {
		epsilon := speed - 1
		return 1 / epsilon, epsilon > 0 && features["metric"] == "non-multitasking"
	},
}

// fairShape states Theorem 2. Where no machine is shared the schedule is the same and the optimum no better.
var fairShape = &models.Guarantee{
	Doc: "Theorem 2 of Xu, Lau et al. 2018: (4+ε)-speed O(1/ε)-competitive", Shape: true,
	Ratio: func(_ map[string]any, _ string, speed float64) (float64, bool) {
		epsilon := speed - 4
		return 1 / epsilon, epsilon > 0
	},
}

// lapsShape states Theorem 3, by β.
var lapsShape = &models.Guarantee{
	Doc:    "Theorem 3 of Xu, Lau et al. 2018: (2+2β+2ε)-speed O(1/(βε))-competitive, with the remainder shared as printed",
	Shape:  true,
	Params: map[string]any{"remainder": "share"},
	Ratio: func(_ map[string]any, arg string, speed float64) (float64, bool) {
		beta, err := ParseBeta(arg)
		epsilon := (speed - 2 - 2*beta) / 2
		return 1 / (beta * epsilon), err == nil && epsilon > 0
	},
}
