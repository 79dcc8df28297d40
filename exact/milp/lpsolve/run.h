// What golp leaves out of lp_solve's API: tolerances, ranges, and control over a running solve.
#ifndef SCHEDGAP_LPSOLVE_RUN_H
#define SCHEDGAP_LPSOLVE_RUN_H

#include <stdint.h>

#include "lp_lib.h"

// What a solve and the rest of the program tell each other while it runs.
typedef struct {
	int32_t stop;         // set by any thread: come to an end; accessed atomically
	int32_t stopped;      // set once lp_solve was told to stop
	uintptr_t incumbents; // handle of the Go function that takes incumbents
	int32_t rooted;       // set once the root node's relaxation is solved, to which lp_solve adds no cuts
	double root;          // its optimum
} schedgap_lpsolve_control;

// Solves under control, with the given tolerance for integrality and absolute gap. Returns what solve returned.
int schedgap_lpsolve_run(lprec* lp, double tolerance, schedgap_lpsolve_control* control);

#endif
