#pragma once
#include <stddef.h>

/// The process that read the file crashed; it exceeded its time limit.
#define SOFA_DIED (-1)
#define SOFA_STUCK (-2)
/// The tables hold more than SOFA_MOST_VALUES numbers.
#define SOFA_TOO_LARGE (-3)
/// 512 MB of 32-bit floats.
#define SOFA_MOST_VALUES (1 << 27)

/// Contents of a SOFA file: `values` holds directions * ears * samples of responses, three numbers for each direction
/// (degrees, degrees, metres), `rates` sampling rates, `delays` delays in samples. Freed by `sofa_free`.
struct sofa_contents {
    unsigned directions, ears, samples, rates, delays;
    float *values;
    size_t count;
};

/// Reads a SOFA file that is in memory, with libmysofa, in its own process: libmysofa 1.3 writes over its own stack
/// when files are damaged, and that must not be this process's stack.
///
/// Returns 0, a code of libmysofa, SOFA_DIED, SOFA_STUCK, SOFA_TOO_LARGE, or -errno - 1000 when no process can be made.
int sofa_read(const void *bytes, size_t count, int seconds, struct sofa_contents *contents);

void sofa_free(struct sofa_contents *contents);
