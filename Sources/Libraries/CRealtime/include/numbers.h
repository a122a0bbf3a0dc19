#pragma once
#include <limits.h>
#include "realtime.h"

/// The whole part of a number, or the nearest number that 64 bits can hold; 0 for NaN.
REALTIME static inline long long rt_signed(double x) {
    return x >= 0x1p63 ? LLONG_MAX : x > -0x1p63 ? (long long)x : x != x ? 0 : LLONG_MIN;
}
REALTIME static inline unsigned long long rt_unsigned(double x) {
    return x >= 0x1p64 ? ULLONG_MAX : x > -1 ? (unsigned long long)x : 0;
}
