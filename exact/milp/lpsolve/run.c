//go:build lpsolve && cgo

#include "run.h"

#include "_cgo_export.h"

static int __WINAPI stop(lprec* lp, void* data) {
	schedgap_lpsolve_control* control = data;
	if (!__atomic_load_n(&control->stop, __ATOMIC_RELAXED)) return FALSE;
	control->stopped = TRUE;
	return TRUE;
}

static void __WINAPI news(lprec* lp, void* data, int message) {
	schedgap_lpsolve_control* control = data;
	if (message == MSG_LPOPTIMAL) {
		if (!control->rooted) control->root = get_working_objective(lp);
		control->rooted = TRUE;
		return;
	}
	REAL* x;
	if (get_ptr_variables(lp, &x)) schedgapLPSolveIncumbent(control->incumbents, get_Ncolumns(lp), x);
}

int schedgap_lpsolve_run(lprec* lp, double tolerance, schedgap_lpsolve_control* control) {
	set_mip_gap(lp, TRUE, tolerance);
	set_mip_gap(lp, FALSE, 0);
	set_epsint(lp, tolerance);
	// With the default limit of 1, lp_solve 5.5.2 computes a least step between objective values and skips solutions that
	// are better by just that step: about one in 500 small binary models then ends OPTIMAL short of its optimum.
	set_solutionlimit(lp, 2);
	set_bb_depthlimit(lp, 0); // the default of 50 times the columns ends deep searches without saying so
	put_abortfunc(lp, stop, control);
	put_msgfunc(lp, news, control, MSG_LPOPTIMAL | MSG_MILPFEASIBLE | MSG_MILPBETTER);
	int status = solve(lp);
	put_abortfunc(lp, NULL, NULL);
	put_msgfunc(lp, NULL, NULL, 0);
	return status;
}
