#include "sofa_writer.h"
#include <errno.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SIZES = 8, UNKNOWN_FILTER = 399 };

struct step {
    struct step *next;
    char *object, *name, *text;
    int kind, form, storage;
    size_t rank, sizes[MOST_SIZES];
    double *values;
};

struct sofa_writer {
    struct step *first, **last;
};

struct sofa_writer *writer_new(void) {
    struct sofa_writer *writer = calloc(1, sizeof *writer);
    writer->last = &writer->first;
    return writer;
}

static struct step *add(struct sofa_writer *writer, char kind, const char *object, const char *name) {
    struct step *step = calloc(1, sizeof *step);
    step->kind = kind;
    step->object = strdup(object);
    step->name = strdup(name);
    *writer->last = step;
    writer->last = &step->next;
    return step;
}

void writer_text(struct sofa_writer *writer, const char *object, const char *name, int form, const char *text) {
    struct step *step = add(writer, 't', object, name);
    step->form = form;
    step->text = strdup(text);
}

void writer_number(struct sofa_writer *writer, const char *object, const char *name, double number) {
    struct step *step = add(writer, 'n', object, name);
    step->values = malloc(sizeof number);
    *step->values = number;
}

void writer_table(
    struct sofa_writer *writer, const char *name, int type, int storage, const size_t *sizes, size_t rank, const double *values) {
    struct step *step = add(writer, 'v', "/", name);
    size_t count = 1;
    step->form = type;
    step->storage = storage;
    step->rank = rank;
    for (size_t i = 0; i < rank; i++) count *= step->sizes[i] = sizes[i];
    step->values = malloc(count * sizeof *values + 1);
    memcpy(step->values, values, count * sizeof *values);
}

static hid_t text_type(const struct step *step, size_t length) {
    hid_t type = H5Tcopy(H5T_C_S1);
    switch (step->form) {
    case WRITER_FIXED: H5Tset_size(type, length + 1); break;
    case WRITER_SPACES:
        H5Tset_size(type, length + 5);
        H5Tset_strpad(type, H5T_STR_SPACEPAD);
        break;
    case WRITER_ZEROS:
    case WRITER_UTF8:
        H5Tset_size(type, length ? length : 1);
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        break;
    case WRITER_CHARACTERS: break;
    default: H5Tset_size(type, H5T_VARIABLE);
    }
    if (step->form == WRITER_UTF8 || step->form == WRITER_VARIABLE_UTF8) H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static int write_text(hid_t object, const struct step *step) {
    size_t length = strlen(step->text);
    hsize_t count = step->form == WRITER_CHARACTERS ? length : 1;
    bool is_simple = step->form == WRITER_CHARACTERS || step->form == WRITER_LIST;
    hid_t space = is_simple                    ? H5Screate_simple(1, &count, NULL)
                  : step->form == WRITER_EMPTY ? H5Screate(H5S_NULL)
                                               : H5Screate(H5S_SCALAR);
    hid_t type = text_type(step, length);
    hid_t attribute = H5Acreate2(object, step->name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return -1;
    if (step->form == WRITER_EMPTY) return 0;
    if (H5Tis_variable_str(type) > 0) return H5Awrite(attribute, type, &step->text);
    size_t size = length + 16;
    char *padded = calloc(size, 1);
    if (step->form == WRITER_SPACES) memset(padded, ' ', size);
    memcpy(padded, step->text, length);
    return H5Awrite(attribute, type, padded);
}

static hid_t number_type(int form) {
    switch (form) {
    case WRITER_FLOAT: return H5T_IEEE_F32LE;
    case WRITER_SHORT: return H5T_STD_I16LE;
    case WRITER_INT: return H5T_STD_I32LE;
    case WRITER_BIG_ENDIAN: return H5T_IEEE_F64BE;
    default: return H5T_IEEE_F64LE;
    }
}

/// Stands for a compression that readers do not have.
static size_t unknown(unsigned flags, size_t count, const unsigned values[], size_t bytes, size_t *size, void **buffer) {
    (void)flags, (void)count, (void)values, (void)size, (void)buffer;
    return bytes;
}

static hid_t storage(const struct step *step, const hsize_t *sizes) {
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    static const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, UNKNOWN_FILTER, 1, 1, "shrink", NULL, NULL, unknown};
    hsize_t chunks[MOST_SIZES], bytes = sizeof(double);
    for (size_t i = 0; i < step->rank; i++) {
        chunks[i] = (sizes[i] + 1) / 2;
        bytes *= sizes[i];
    }
    switch (step->storage) {
    case WRITER_CHUNKS:
    case WRITER_DEFLATED:
    case WRITER_SHUFFLED:
    case WRITER_UNKNOWN_FILTER: H5Pset_chunk(properties, (int)step->rank, chunks); break;
    case WRITER_OTHER_FILE: H5Pset_external(properties, "/etc/passwd", 0, bytes); break;
    default: break;
    }
    if (step->storage == WRITER_SHUFFLED) {
        H5Pset_shuffle(properties);
        H5Pset_fletcher32(properties);
    }
    if (step->storage == WRITER_DEFLATED || step->storage == WRITER_SHUFFLED) H5Pset_deflate(properties, 4);
    if (step->storage == WRITER_UNKNOWN_FILTER) {
        H5Zregister(&filter);
        H5Pset_filter(properties, UNKNOWN_FILTER, H5Z_FLAG_MANDATORY, 0, NULL);
    }
    return properties;
}

static int write_table(hid_t file, const struct step *step) {
    if (step->storage == WRITER_LINK) return H5Lcreate_external("/etc/passwd", "/x", file, step->name, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t sizes[MOST_SIZES];
    for (size_t i = 0; i < step->rank; i++) sizes[i] = step->sizes[i];
    hid_t space = step->rank ? H5Screate_simple((int)step->rank, sizes, NULL) : H5Screate(H5S_SCALAR);
    hid_t type = number_type(step->form);
    if (step->form == WRITER_STRINGS) type = H5T_C_S1;
    hid_t table = H5Dcreate2(file, step->name, type, space, H5P_DEFAULT, storage(step, sizes), H5P_DEFAULT);
    if (table < 0) return -1;
    if (step->form == WRITER_STRINGS || step->storage == WRITER_OTHER_FILE) return 0;
    if (step->storage == WRITER_DIMENSION) {
        const struct step name = {.name = "NAME", .text = "This is a netCDF dimension but not a netCDF variable.        96"};
        return write_text(table, &name);
    }
    return H5Dwrite(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, step->values);
}

static int write_step(hid_t file, const struct step *step) {
    if (step->kind == 'v') return write_table(file, step);
    hid_t object = H5Oopen(file, step->object, H5P_DEFAULT);
    if (object < 0) return -1;
    if (step->kind == 't') return write_text(object, step);
    hid_t attribute = H5Acreate2(object, step->name, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), H5P_DEFAULT, H5P_DEFAULT);
    return attribute < 0 ? -1 : H5Awrite(attribute, H5T_NATIVE_DOUBLE, step->values);
}

static int write_file(const struct sofa_writer *writer, const char *path, size_t user_block, bool is_latest) {
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_userblock(creation, user_block);
    if (is_latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    // Everything that is open is closed with the file.
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    if (file < 0) return 1;
    int number = 2;
    for (const struct step *step = writer->first; step; step = step->next, number++)
        if (write_step(file, step) < 0) return number;
    return H5Fclose(file) < 0 ? 1 : 0;
}

int writer_write(struct sofa_writer *writer, const char *path, size_t user_block, bool is_latest) {
    pid_t child = fork();
    if (child == 0) _exit(write_file(writer, path, user_block, is_latest));
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    for (struct step *step = writer->first, *next; step; step = next) {
        next = step->next;
        free(step->object);
        free(step->name);
        free(step->text);
        free(step->values);
        free(step);
    }
    free(writer);
    return status;
}
