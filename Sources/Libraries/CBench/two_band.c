#include "bench.h"

enum { LANES = 16 };

/// One biquad in transposed direct form II on 16 lanes.
static inline void biquad(const float *restrict c, float *restrict state, float *restrict x) {
#pragma clang fp contract(fast)
    for (int i = 0; i < LANES; i++) {
        float y = c[0] * x[i] + state[i];
        state[i] = c[1] * x[i] - c[3] * y + state[LANES + i];
        state[LANES + i] = c[2] * x[i] - c[4] * y;
        x[i] = y;
    }
}

void bench_two_band(
    const float *restrict input, int frames, float *restrict state, const float *restrict low_pass,
    const float *restrict high_pass, const float *restrict from, const float *restrict to, float *restrict left,
    float *restrict right) {
    // As with -ffast-math: the sums over 16 lanes may be evaluated in any order.
#pragma clang fp reassociate(on) contract(fast)
    for (int n = 0; n < frames; n++) {
        float low[LANES], high[LANES];
        for (int i = 0; i < LANES; i++) low[i] = high[i] = input[n * LANES + i];
        biquad(low_pass, state, low);
        biquad(low_pass, state + 2 * LANES, low);
        biquad(high_pass, state + 4 * LANES, high);
        biquad(high_pass, state + 6 * LANES, high);
        float along = (float)(n + 1) / (float)frames, l = 0, r = 0;
        for (int i = 0; i < LANES; i++) {
            l += low[i] * (from[i] + along * (to[i] - from[i]));
            l += high[i] * (from[LANES + i] + along * (to[LANES + i] - from[LANES + i]));
            r += low[i] * (from[2 * LANES + i] + along * (to[2 * LANES + i] - from[2 * LANES + i]));
            r += high[i] * (from[3 * LANES + i] + along * (to[3 * LANES + i] - from[3 * LANES + i]));
        }
        left[n] = l;
        right[n] = r;
    }
}
