// The part of HiGHS's C API that the Go wrapper does not reach. It is declared here and not included, because HiGHS's
// own header defines its constants with external linkage and the wrapper includes it already.
#ifndef SCHEDGAP_HIGHS_RUN_H
#define SCHEDGAP_HIGHS_RUN_H

#include <stdint.h>

#include "util/HighsInt.h"

// What a solve and the rest of the program tell each other while it runs.
typedef struct {
	int32_t stop;         // set by any thread: come to an end; accessed atomically
	uintptr_t incumbents; // handle of the Go function that takes incumbents; 0: nobody asks for them
	int columns;          // length of an incumbent
	uintptr_t bounds;     // handle of the Go function that takes bounds; 0: nobody asks for them
	double bound;         // the last one
	double root;          // the last bound before the first node after the root
} schedgap_highs_control;

// Runs HiGHS under control and leaves no callback and no thread behind. Returns what Highs_run returned.
HighsInt schedgap_highs_run(void* highs, schedgap_highs_control* control);

HighsInt Highs_clear(void* highs);
HighsInt Highs_getDoubleInfoValue(const void* highs, const char* info, double* value);
HighsInt Highs_getInt64InfoValue(const void* highs, const char* info, int64_t* value);
HighsInt Highs_getIntInfoValue(const void* highs, const char* info, HighsInt* value);
HighsInt Highs_getModelStatus(const void* highs);
double Highs_getRunTime(const void* highs);
HighsInt Highs_getSolution(const void* highs, double* col_value, double* col_dual, double* row_value, double* row_dual);
HighsInt Highs_setSolution(void* highs, const double* col_value, const double* row_value, const double* col_dual,
                           const double* row_dual);
const char* Highs_version(void);

#endif
