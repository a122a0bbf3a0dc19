#pragma once
#include <limits.h>
#include "realtime.h"

/// The whole part of a number, or the nearest number that a word can hold; 0 for NaN.
REALTIME static inline long rt_signed(double x) {
    return x >= 0x1p63 ? LONG_MAX : x > -0x1p63 ? (long)x : x != x ? 0 : LONG_MIN;
}
REALTIME static inline unsigned long rt_unsigned(double x) {
    return x >= 0x1p64 ? ULONG_MAX : x > -1 ? (unsigned long)x : 0;
}
