#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Writes SOFA files, and files that are like them, with every form of HDF5 that programs use: for tests of what reads them.

/// Forms of a text.
enum writer_texts {
    WRITER_FIXED,
    WRITER_SPACES,
    WRITER_ZEROS,
    WRITER_VARIABLE,
    WRITER_UTF8,
    WRITER_VARIABLE_UTF8,
    WRITER_LIST,
    WRITER_CHARACTERS,
    WRITER_EMPTY,
};

/// Types of numbers.
enum writer_numbers { WRITER_DOUBLE, WRITER_FLOAT, WRITER_SHORT, WRITER_INT, WRITER_BIG_ENDIAN, WRITER_STRINGS };

/// Ways to store a table. A filter that no library has, another file, and a link are what must not be read.
enum writer_storage {
    WRITER_CONTIGUOUS,
    WRITER_CHUNKS,
    WRITER_DEFLATED,
    WRITER_SHUFFLED,
    WRITER_UNKNOWN_FILTER,
    WRITER_OTHER_FILE,
    WRITER_LINK,
    WRITER_DIMENSION,
};

struct sofa_writer;

struct sofa_writer *writer_new(void);

/// An attribute of a table, or of the file if `object` is "/".
void writer_text(struct sofa_writer *writer, const char *object, const char *name, int form, const char *text);
void writer_number(struct sofa_writer *writer, const char *object, const char *name, double number);
void writer_table(
    struct sofa_writer *writer, const char *name, int type, int storage, const size_t *sizes, size_t rank, const double *values);

/// Writes the file in its own process, since a process that is forked in the midst of HDF5's work cannot read. Frees the writer.
/// Returns 0, or the step that failed.
int writer_write(struct sofa_writer *writer, const char *path, size_t user_block, bool is_latest);
