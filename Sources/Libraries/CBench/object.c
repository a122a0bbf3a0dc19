#include "bench.h"

void bench_object(
    const float *restrict input, int frames, float *restrict state, const float *restrict delay, const float *restrict zero,
    float pole, float *restrict left, float *restrict right) {
#pragma clang fp reassociate(on) contract(fast)
    float *ears[2] = {left, right};
    for (int ear = 0; ear < 2; ear++) {
        float before = state[2 * ear], y = state[2 * ear + 1];
        for (int n = 0; n < frames; n++) {
            float along = (float)(n + 1) / (float)frames;
            float place = (float)n - (delay[2 * ear] + along * (delay[2 * ear + 1] - delay[2 * ear]));
            // Positions lie up to 64 frames before the block.
            int whole = (int)(place + 64) - 64;
            float x = input[whole] + (place - (float)whole) * (input[whole + 1] - input[whole]);
            float b = zero[2 * ear] + along * (zero[2 * ear + 1] - zero[2 * ear]);
            y = b * x + (1 - pole - b) * before + pole * y;
            before = x;
            ears[ear][n] += y;
        }
        state[2 * ear] = before;
        state[2 * ear + 1] = y;
    }
}
