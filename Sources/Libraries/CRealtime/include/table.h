#pragma once
#include "realtime.h"

#pragma clang assume_nonnull begin

/// A function in a table. It has to be safe for realtime threads; RealtimeSanitizer checks this, since compilers cannot
/// check calls through pointers.
typedef void (*rt_function)(void *argument);
REALTIME static inline void rt_call(rt_function function, void *argument) { function(argument); }

#pragma clang assume_nonnull end
