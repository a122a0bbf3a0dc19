#pragma once
#include <stdbool.h>

/// Reason why an address cannot be read: `is_lasting` when trying again would not help, `is_missing` when there is nothing there.
struct connection_problem {
    char text[256];
    bool is_lasting, is_missing;
};
