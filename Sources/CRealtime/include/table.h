#pragma once
#include "realtime.h"

#pragma clang assume_nonnull begin

/// A function of a table. It has to be safe for realtime threads: no compiler checks that through a pointer, but
/// RealtimeSanitizer does.
typedef void (*rt_function)(void *argument);
REALTIME static inline void rt_call(rt_function function, void *argument) { function(argument); }

#pragma clang assume_nonnull end
