#pragma once
#include "sofa.h"

/// Reads attributes and variables with libhdf5. Only for a process of its own: it sets libhdf5 up for that, and frees nothing.
int sofa_read_tables(const void *bytes, size_t count, struct sofa_contents *contents);
