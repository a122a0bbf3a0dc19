#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Why a file, or a variable of it, is not read. -errno - 1000 stands for a process that cannot be made.
enum sofa_codes {
    /// The process that read the file crashed; it exceeded its time limit.
    SOFA_DIED = -1,
    SOFA_STUCK = -2,
    /// The variables hold more than SOFA_MOST_VALUES numbers, or more dimensions than SOFA_MOST_DIMENSIONS.
    SOFA_TOO_LARGE = -3,
    SOFA_NO_MEMORY = -4,
    /// The file ends before its contents do; `size` and `whole` are the numbers of bytes.
    SOFA_TRUNCATED = -5,
    /// libhdf5 cannot read it, and says why in `detail`.
    SOFA_UNREADABLE = -6,
    /// The values are in another file; `detail` says how.
    SOFA_ELSEWHERE = -7,
    /// The values are packed by the filter that `detail` names, which libhdf5 does not have.
    SOFA_PACKED = -8,
    /// The values are no numbers.
    SOFA_NOT_NUMBERS = -9,
    SOFA_NO_PROCESS = -1000,
};

/// 512 MB of 32-bit floats.
#define SOFA_MOST_VALUES (1 << 27)
#define SOFA_MOST_DIMENSIONS 6
/// Bytes of a text with its zero byte; longer ones are cut.
#define SOFA_TEXT 128
#define SOFA_VARIABLES 11

/// A table of numbers. `code` is 0 or the reason why `values`, `count` numbers in row-major order, is NULL.
struct sofa_variable {
    bool exists;
    int code;
    unsigned rank;
    size_t sizes[SOFA_MOST_DIMENSIONS];
    char type[SOFA_TEXT], units[SOFA_TEXT], detail[SOFA_TEXT];
    size_t count;
    float *values;
};

/// Contents of a SOFA file: attributes, empty where the file has none, and variables in the order of `sofa_variable_name`.
struct sofa_contents {
    char conventions[SOFA_TEXT], sofa_conventions[SOFA_TEXT], data_type[SOFA_TEXT], room_type[SOFA_TEXT];
    char detail[SOFA_TEXT];
    unsigned long long size, whole;
    struct sofa_variable variables[SOFA_VARIABLES];
};

/// Name of a variable of SOFA, of those that are read; NULL after the last.
const char *sofa_variable_name(size_t number);

/// Reads a SOFA file that is in memory, with libhdf5, in its own process: a file that makes the library crash, hang or take
/// all memory must not harm this process. No other file can be opened there.
///
/// Returns 0, or a code; `contents` is filled as far as the file was read, and always has to be freed.
int sofa_read(const void *bytes, size_t count, int seconds, struct sofa_contents *contents);

void sofa_free(struct sofa_contents *contents);

/// A variable by its number; the texts of it and of the contents, which end within their sizes.
const struct sofa_variable *sofa_variable_at(const struct sofa_contents *contents, size_t number);

/// Version of libhdf5, such as 1.10.8.
const char *sofa_library(void);
