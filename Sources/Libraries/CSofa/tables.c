#include "tables.h"
#include <ctype.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The headers' version is not compared with the library's, which ends the program if they differ.
#undef H5CHECK
#define H5CHECK

/// Largest size in bytes, and number of elements, of an attribute that is read.
enum { MOST_BYTES = 1 << 20, MOST_ELEMENTS = 1 << 16 };

static const char *const names[SOFA_VARIABLES + 1] = {
    "SourcePosition", "ListenerPosition", "ListenerView", "ListenerUp", "ReceiverPosition", "Data.SamplingRate",
    "Data.Delay", "N", "Data.IR", "Data.Real", "Data.Imag", NULL};

const char *sofa_variable_name(size_t number) { return number < SOFA_VARIABLES ? names[number] : NULL; }

const char *sofa_library(void) { return H5_VERS_INFO + sizeof "HDF5 library version: " - 1; }

// MARK: Errors

static herr_t innermost(unsigned number, const H5E_error2_t *error, void *detail) {
    if (number == 0 && error->desc) snprintf(detail, SOFA_TEXT, "%s", error->desc);
    return 0;
}

static void explain(char *detail) { H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, detail); }

static herr_t find_truncation(unsigned number, const H5E_error2_t *error, void *contents) {
    (void)number;
    struct sofa_contents *found = contents;
    unsigned long long base = 0;
    if (error->min_num == H5E_TRUNCATED_g && error->desc
        && sscanf(error->desc, "truncated file: eof = %llu, sblock->base_addr = %llu, stored_eof = %llu", &found->size, &base,
                  &found->whole) == 3)
        return 1;
    return 0;
}

// MARK: Texts

/// The text without spaces around it, cut to its size; control characters become spaces.
static void set_text(char *text, const char *from, size_t count) {
    size_t length = 0;
    while (length < count && from[length]) length++;
    while (length > 0 && isspace((unsigned char)*from)) from++, length--;
    if (length > SOFA_TEXT - 1) length = SOFA_TEXT - 1;
    while (length > 0 && isspace((unsigned char)from[length - 1])) length--;
    for (size_t i = 0; i < length; i++) text[i] = iscntrl((unsigned char)from[i]) ? ' ' : from[i];
    text[length] = 0;
}

static void read_strings(hid_t attribute, hid_t type, size_t elements, char *text) {
    size_t each = H5Tget_size(type);
    if (each == 0 || each > MOST_BYTES || elements > MOST_BYTES / each) return;
    char *bytes = calloc(elements, each);
    if (!bytes || H5Aread(attribute, type, bytes) < 0) return;
    if (H5Tis_variable_str(type) > 0) {
        const char *first = *(char **)bytes;
        if (first) set_text(text, first, strlen(first));
    } else {
        // Some writers store a text as an array of characters.
        set_text(text, bytes, each == 1 ? elements : each);
    }
}

static void read_number(hid_t attribute, size_t elements, char *text) {
    double *numbers = calloc(elements, sizeof(double));
    if (numbers && H5Aread(attribute, H5T_NATIVE_DOUBLE, numbers) >= 0) snprintf(text, SOFA_TEXT, "%.9g", numbers[0]);
}

/// An attribute as text, whatever its type; what cannot be read stays empty.
static void read_text(hid_t object, const char *name, char *text) {
    if (H5Aexists(object, name) <= 0) return;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    hssize_t elements = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    if (type < 0 || elements < 1 || elements > MOST_ELEMENTS) return;
    switch (H5Tget_class(type)) {
    case H5T_STRING: read_strings(attribute, type, (size_t)elements, text); break;
    case H5T_INTEGER:
    case H5T_FLOAT: read_number(attribute, (size_t)elements, text); break;
    default: break;
    }
}

// MARK: Variables

/// Whether the values are in this file, and can be unpacked.
static int check_storage(hid_t dataset, char *detail) {
    hid_t properties = H5Dget_create_plist(dataset);
    if (properties < 0) return SOFA_UNREADABLE;
    if (H5Pget_external_count(properties) > 0) {
        H5Pget_external(properties, 0, SOFA_TEXT - 1, detail, NULL, NULL);
        return SOFA_ELSEWHERE;
    }
    if (H5Pget_layout(properties) == H5D_VIRTUAL) {
        snprintf(detail, SOFA_TEXT, "a virtual dataset");
        return SOFA_ELSEWHERE;
    }
    int filters = H5Pget_nfilters(properties);
    for (int i = 0; i < filters; i++) {
        unsigned flags, config;
        size_t parameters = 0;
        char name[64] = "";
        H5Z_filter_t filter = H5Pget_filter2(properties, (unsigned)i, &flags, &parameters, NULL, sizeof name, name, &config);
        if (filter >= 0 && H5Zfilter_avail(filter) > 0) continue;
        snprintf(detail, SOFA_TEXT, "%.63s%snumber %d", name, *name ? ", " : "", (int)filter);
        return SOFA_PACKED;
    }
    return 0;
}

static int read_sizes(hid_t dataset, struct sofa_variable *variable) {
    hid_t space = H5Dget_space(dataset);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    if (rank < 0) return SOFA_UNREADABLE;
    if (rank > SOFA_MOST_DIMENSIONS) return SOFA_TOO_LARGE;
    hsize_t sizes[SOFA_MOST_DIMENSIONS] = {0};
    if (rank > 0 && H5Sget_simple_extent_dims(space, sizes, NULL) < 0) return SOFA_UNREADABLE;
    variable->rank = (unsigned)rank;
    variable->count = H5Sget_simple_extent_type(space) == H5S_NULL ? 0 : 1;
    int code = 0;
    for (int i = 0; i < rank; i++) {
        variable->sizes[i] = sizes[i];
        if (__builtin_mul_overflow(variable->count, (size_t)sizes[i], &variable->count)) code = SOFA_TOO_LARGE;
    }
    return code;
}

static int read_values(hid_t dataset, struct sofa_variable *variable, size_t *left) {
    int code = read_sizes(dataset, variable);
    if (code) return code;
    H5T_class_t kind = H5Tget_class(H5Dget_type(dataset));
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) return SOFA_NOT_NUMBERS;
    code = check_storage(dataset, variable->detail);
    if (code) return code;
    if (variable->count > *left) return SOFA_TOO_LARGE;
    variable->values = malloc(variable->count * sizeof(float) + 1);
    if (!variable->values) return SOFA_NO_MEMORY;
    if (variable->count > 0 && H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, variable->values) < 0)
        return SOFA_UNREADABLE;
    *left -= variable->count;
    return 0;
}

static void read_variable(hid_t file, const char *name, struct sofa_variable *variable, size_t *left) {
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0) return;
    variable->exists = true;
    H5L_info_t link;
    if (H5Lget_info(file, name, &link, H5P_DEFAULT) < 0) {
        variable->code = SOFA_UNREADABLE;
    } else if (link.type != H5L_TYPE_HARD) {
        variable->code = SOFA_ELSEWHERE;
        snprintf(variable->detail, SOFA_TEXT, "a link");
    } else {
        hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
        variable->code = dataset < 0 ? SOFA_UNREADABLE : read_values(dataset, variable, left);
        if (variable->code == SOFA_UNREADABLE) explain(variable->detail);
        if (dataset >= 0) {
            char role[SOFA_TEXT] = "";
            read_text(dataset, "NAME", role);
            // A dimension of netCDF without values.
            if (strstr(role, "not a netCDF variable")) memset(variable, 0, sizeof *variable);
            read_text(dataset, "Type", variable->type);
            read_text(dataset, "Units", variable->units);
        }
    }
    if (variable->code == SOFA_UNREADABLE && !*variable->detail) explain(variable->detail);
    if (variable->code) variable->values = NULL;
}

// MARK: Files in memory

/// Callbacks by which libhdf5 uses the bytes where they are, without a copy.
static void *image_memory(size_t size, H5FD_file_image_op_t operation, void *image) {
    (void)size, (void)operation;
    return image;
}
static void *image_copy(void *to, const void *from, size_t size, H5FD_file_image_op_t operation, void *image) {
    (void)from, (void)size, (void)operation, (void)image;
    return to;
}
static void *image_resize(void *at, size_t size, H5FD_file_image_op_t operation, void *image) {
    (void)at, (void)size, (void)operation, (void)image;
    return NULL;
}
static herr_t image_release(void *at, H5FD_file_image_op_t operation, void *image) {
    (void)at, (void)operation, (void)image;
    return 0;
}
static void *image_share(void *image) { return image; }
static herr_t image_unshare(void *image) {
    (void)image;
    return 0;
}

static hid_t open_image(const void *bytes, size_t count) {
    H5FD_file_image_callbacks_t callbacks = {image_memory, image_copy,    image_resize,  image_release,
                                             image_share,  image_unshare, (void *)bytes};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0 || H5Pset_fapl_core(access, 1 << 16, 0) < 0 || H5Pset_file_image_callbacks(access, &callbacks) < 0
        || H5Pset_file_image(access, (void *)bytes, count) < 0)
        return -1;
    return H5Fopen("image", H5F_ACC_RDONLY, access);
}

int sofa_read_tables(const void *bytes, size_t count, struct sofa_contents *contents) {
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5PLset_loading_state(0);
    hid_t file = open_image(bytes, count);
    if (file < 0) {
        if (H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_truncation, contents) > 0) return SOFA_TRUNCATED;
        explain(contents->detail);
        return SOFA_UNREADABLE;
    }
    hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
    if (root < 0) {
        explain(contents->detail);
        return SOFA_UNREADABLE;
    }
    read_text(root, "Conventions", contents->conventions);
    read_text(root, "SOFAConventions", contents->sofa_conventions);
    read_text(root, "DataType", contents->data_type);
    read_text(root, "RoomType", contents->room_type);
    size_t left = SOFA_MOST_VALUES;
    for (size_t i = 0; i < SOFA_VARIABLES; i++) read_variable(file, names[i], &contents->variables[i], &left);
    return 0;
}
