//go:build highs && cgo

#include "run.h"

#include "HConfig.h"
#include "_cgo_export.h"
#include "lp_data/HighsCallbackStruct.h"

#if HIGHS_VERSION_MAJOR != 1 || HIGHS_VERSION_MINOR < 7 || HIGHS_VERSION_MINOR >= 12
#error "HiGHS must be 1.7 to 1.11, see scripts/setup"
#endif

extern const HighsInt kHighsCallbackSimplexInterrupt;
extern const HighsInt kHighsCallbackIpmInterrupt;
extern const HighsInt kHighsCallbackMipImprovingSolution;
extern const HighsInt kHighsCallbackMipInterrupt;

HighsInt Highs_run(void* highs);
HighsInt Highs_setCallback(void* highs, HighsCCallbackType callback, void* data);
HighsInt Highs_startCallback(void* highs, const int type);
void Highs_resetGlobalScheduler(const HighsInt blocking);

static void callback(int type, const char* message, const HighsCallbackDataOut* out, HighsCallbackDataIn* in,
                     void* data) {
	schedgap_highs_control* control = data;
	if (type == kHighsCallbackMipImprovingSolution) {
		if (out->mip_solution) schedgapHighsIncumbent(control->incumbents, control->columns, out->mip_solution);
	} else if (in) {
		if (type == kHighsCallbackMipInterrupt) {
			if (out->mip_node_count == 0) control->root = out->mip_dual_bound;
			if (control->bounds && out->mip_dual_bound > control->bound) {
				control->bound = out->mip_dual_bound;
				schedgapHighsBound(control->bounds, control->bound);
			}
		}
		in->user_interrupt = __atomic_load_n(&control->stop, __ATOMIC_RELAXED);
	}
}

HighsInt schedgap_highs_run(void* highs, schedgap_highs_control* control) {
	Highs_setCallback(highs, callback, control);
	Highs_startCallback(highs, kHighsCallbackSimplexInterrupt);
	Highs_startCallback(highs, kHighsCallbackIpmInterrupt);
	Highs_startCallback(highs, kHighsCallbackMipInterrupt);
	if (control->incumbents) Highs_startCallback(highs, kHighsCallbackMipImprovingSolution);
	// Called global, HiGHS's scheduler belongs to the calling thread. It keeps the number of threads of its first use, and
	// HiGHS refuses to run with another one; a fresh scheduler before and none after costs nothing for one thread.
	Highs_resetGlobalScheduler(1);
	HighsInt status = Highs_run(highs);
	Highs_resetGlobalScheduler(1);
	Highs_setCallback(highs, 0, 0);
	return status;
}
