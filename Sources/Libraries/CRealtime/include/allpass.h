#pragma once
#include "lanes.h"

/// Settings of a chain of allpass sections for up to sixteen frames, the same for both sides.
typedef struct {
    /// Coefficients of each frame, a row for each side.
    const float *left, *right;
    /// Feedback just before the first frame, and its increment per frame.
    float feedback, feedback_step;
    /// Share of each pair's output in the sum just before the first frame, and its increment per frame; in a chain that
    /// does not change, the last pair has share 1.
    const float *share, *share_step;
    /// Number of frames since `share` was valid.
    float frame;
} rt_allpass_block;

/// Left and right in the first two of four lanes.
REALTIME static inline rt_float4 rt_sides(float left, float right) { return (rt_float4){left, right, 0, 0}; }

/// Processes `pairs` pairs of first-order sections with feedback, solved without a sample of delay; see
/// `rt_allpass_chain`.
///
/// Each section is y = c x + s, then s = x - c y. The responses of the chain without and with input are computed
/// separately, so that a frame depends on the previous one through few steps: one for each pair, one for the loop, one
/// for the states.
__attribute__((always_inline)) REALTIME static inline void rt_allpass_pairs(
    float *states, float *left, float *right, long count, const rt_allpass_block *block, const int pairs, const int fades) {
    rt_float4 s[12], even[7], odd[7], even_power[7], odd_power[7];
    for (int i = 0; i < 2 * pairs; i++) s[i] = rt_sides(states[i], states[16 + i]);
    for (long n = 0; n < count; n++) {
        float place = (float)(n + 1);
        float g = block->feedback + block->feedback_step * place;
        rt_float4 x = rt_sides(left[n], right[n]), c = rt_sides(block->left[n], block->right[n]);
        rt_float4 square = c * c, rest = 1.0f - square;
        rt_float4 own = 0.0f, through = 0.0f;
        even[0] = 0.0f;
        even_power[0] = 1.0f;
#pragma clang loop unroll(full)
        for (int i = 0; i < pairs; i++) {
            odd[i] = RT_FMA(c, even[i], s[2 * i]);
            odd_power[i] = c * even_power[i];
            even[i + 1] = RT_FMA(square, even[i], RT_FMA(c, s[2 * i], s[2 * i + 1]));
            even_power[i + 1] = square * even_power[i];
            if (fades) {
                float share = block->share[i] + block->share_step[i] * (block->frame + place);
                own = RT_FMA((rt_float4)share, even[i + 1], own);
                through = RT_FMA((rt_float4)share, even_power[i + 1], through);
            }
        }
        if (!fades) own = even[pairs], through = even_power[pairs];
        rt_float4 loop = 1.0f / (1.0f - g * through);
        rt_float4 u = RT_FMA(g * loop, own, x * loop);
#pragma clang loop unroll(full)
        for (int i = 0; i < pairs; i++) {
            s[2 * i] = RT_FMA(rest * even_power[i], u, RT_FMA(-c, odd[i], even[i]));
            s[2 * i + 1] = RT_FMA(rest * odd_power[i], u, RT_FMA(-c, even[i + 1], odd[i]));
        }
        rt_float4 wet = RT_FMA(through, u, own);
        left[n] = wet[0];
        right[n] = wet[1];
    }
    for (int i = 0; i < 2 * pairs; i++) states[i] = s[i][0], states[16 + i] = s[i][1];
}

/// Processes up to sixteen frames in place.
///
/// - states: a row of sixteen for each side, one state per section.
/// - pairs: number of pairs of sections with a share, 1 to 6.
/// - fades: 0 when the last of them has share 1 before and after the frames.
REALTIME static inline void rt_allpass_chain(
    float *states, float *left, float *right, long count, const rt_allpass_block *block, int pairs, int fades) {
    if (fades) {
        // Pairs whose share is 0 at both ends contribute nothing.
        rt_allpass_pairs(states, left, right, count, block, 6, 1);
        return;
    }
    switch (pairs) {
    case 1: rt_allpass_pairs(states, left, right, count, block, 1, 0); break;
    case 2: rt_allpass_pairs(states, left, right, count, block, 2, 0); break;
    case 3: rt_allpass_pairs(states, left, right, count, block, 3, 0); break;
    case 4: rt_allpass_pairs(states, left, right, count, block, 4, 0); break;
    case 5: rt_allpass_pairs(states, left, right, count, block, 5, 0); break;
    default: rt_allpass_pairs(states, left, right, count, block, 6, 0);
    }
}
