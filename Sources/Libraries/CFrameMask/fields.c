#include "fields.h"
#include <string.h>

/// Digits of the largest Content-Length that is read; the server refuses larger ones.
#define MOST_DIGITS 18

bool is_token(uint8_t byte) {
    if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z')) return true;
    return byte != 0 && strchr("!#$%&'*+-.^_`|~", byte) != NULL;
}

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\t'; }

static struct text trimmed(struct text text) {
    while (text.count && is_space(text.bytes[0])) {
        text.bytes++;
        text.count--;
    }
    while (text.count && is_space(text.bytes[text.count - 1])) text.count--;
    return text;
}

static bool is_text(struct text text, const char *wanted) {
    return text.count == strlen(wanted) && memcmp(text.bytes, wanted, text.count) == 0;
}

static bool is_alike(struct text text, const char *wanted) {
    if (text.count != strlen(wanted)) return false;
    for (size_t i = 0; i < text.count; i++) {
        if (lower(text.bytes[i]) != (uint8_t)wanted[i]) return false;
    }
    return true;
}

static bool is_same(struct text one, struct text other) {
    if (one.count != other.count) return false;
    for (size_t i = 0; i < one.count; i++) {
        if (lower(one.bytes[i]) != lower(other.bytes[i])) return false;
    }
    return true;
}

bool is_named(const struct field *field, const char *name) { return is_alike(field->name, name); }

// MARK: The first line

/// The bytes up to the next space, and the spaces behind them.
static struct text word(const uint8_t **at, const uint8_t *end) {
    const uint8_t *start = *at;
    while (*at < end && **at != ' ') (*at)++;
    struct text word = {start, (size_t)(*at - start)};
    while (*at < end && **at == ' ') (*at)++;
    return word;
}

/// Divides an address with a scheme (RFC 9112, 3.2.2).
static void divide(struct line *line) {
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(schemes[i]);
        if (line->target.count <= length || !is_alike((struct text){line->target.bytes, length}, schemes[i])) continue;
        struct text rest = {line->target.bytes + length, line->target.count - length};
        size_t count = 0;
        while (count < rest.count && rest.bytes[count] != '/') count++;
        line->authority = (struct text){rest.bytes, count};
        line->target = (struct text){rest.bytes + count, rest.count - count};
        return;
    }
}

uint8_t read_line(const uint8_t *bytes, size_t count, struct line *line) {
    static const char *const methods[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
    const uint8_t *end = memchr(bytes, '\n', count), *at = bytes;
    if (!end) return REQUEST_PROBLEM_LINE;
    *line = (struct line){.method = METHOD_OTHER, .length = (size_t)(end - bytes) + 1};
    if (end > bytes && end[-1] == '\r') end--;
    struct text method = word(&at, end);
    line->target = word(&at, end);
    struct text version = word(&at, end);
    line->method_length = method.count;
    if (method.count == 0 || version.count == 0 || at < end) return REQUEST_PROBLEM_LINE;
    for (size_t i = 0; i < method.count; i++) {
        if (!is_token(method.bytes[i])) return REQUEST_PROBLEM_LINE;
    }
    if (version.count != 8 || memcmp(version.bytes, "HTTP/", 5) != 0) return REQUEST_PROBLEM_LINE;
    if (version.bytes[5] != '1' || version.bytes[6] != '.') return REQUEST_PROBLEM_VERSION;
    if (version.bytes[7] < '0' || version.bytes[7] > '9') return REQUEST_PROBLEM_LINE;
    line->is_old = version.bytes[7] == '0';
    size_t known = 0;
    while (known < sizeof methods / sizeof *methods && !is_text(method, methods[known])) known++;
    if (known == sizeof methods / sizeof *methods) return REQUEST_PROBLEM_METHOD;
    line->method = known == 0 ? METHOD_GET : known == 1 ? METHOD_HEAD : METHOD_OTHER;
    divide(line);
    size_t fields = 0;
    for (size_t i = 0; i < line->target.count; i++) fields += line->target.bytes[i] == '&';
    if (line->target.count > REQUEST_TARGET_MOST || fields >= REQUEST_FIELDS_MOST) return REQUEST_PROBLEM_TARGET_SIZE;
    return line->target.count && line->target.bytes[0] == '/' ? REQUEST_PROBLEM_NONE : REQUEST_PROBLEM_LINE;
}

// MARK: Headers

bool next_field(struct fields *fields, struct field *field) {
    const uint8_t *start = fields->at, *end = start < fields->end ? memchr(start, '\n', (size_t)(fields->end - start)) : NULL;
    if (!end) return false;
    const uint8_t *next = end + 1;
    if (end > start && end[-1] == '\r') end--;
    const uint8_t *colon = memchr(start, ':', (size_t)(end - start));
    if (!colon || colon == start) return false;
    field->name = (struct text){start, (size_t)(colon - start)};
    field->value = (struct text){colon + 1, (size_t)(end - colon - 1)};
    // A name has no spaces: a line that begins with one continues the header before it, which is obsolete.
    for (size_t i = 0; i < field->name.count; i++) {
        if (!is_token(field->name.bytes[i])) return false;
    }
    for (size_t i = 0; i < field->value.count; i++) {
        uint8_t byte = field->value.bytes[i];
        if ((byte < 0x20 && byte != '\t') || byte == 0x7F) return false;
    }
    field->value = trimmed(field->value);
    fields->at = next;
    return true;
}

bool next_element(struct text *rest, char separator, struct text *element) {
    while (rest->count) {
        const uint8_t *end = memchr(rest->bytes, separator, rest->count);
        size_t count = end ? (size_t)(end - rest->bytes) : rest->count, used = end ? count + 1 : count;
        *element = trimmed((struct text){rest->bytes, count});
        *rest = (struct text){rest->bytes + used, rest->count - used};
        if (element->count) return true;
    }
    return false;
}

bool has_element(struct fields fields, const char *name, const char *wanted) {
    struct field field;
    while (next_field(&fields, &field)) {
        if (!is_named(&field, name)) continue;
        struct text element, rest = field.value;
        while (next_element(&rest, ',', &element)) {
            if (is_alike(element, wanted)) return true;
        }
    }
    return false;
}

/// Reads a Content-Length.
static void read_length(struct text value, struct form *form) {
    if (form->has_length || value.count == 0) form->problem = REQUEST_PROBLEM_LENGTH;
    form->has_length = true;
    for (size_t i = 0; i < value.count; i++) {
        if (value.bytes[i] < '0' || value.bytes[i] > '9') form->problem = REQUEST_PROBLEM_LENGTH;
    }
    while (value.count && value.bytes[0] == '0') {
        value.bytes++;
        value.count--;
    }
    if (value.count > MOST_DIGITS) form->is_last = true;
    else for (size_t i = 0; i < value.count; i++) form->body = form->body * 10 + (uint64_t)(value.bytes[i] - '0');
}

struct form read_form(struct fields fields, const struct line *line) {
    struct form form = {0};
    struct field field;
    bool has_host = false;
    while (!form.problem && next_field(&fields, &field)) {
        if (is_named(&field, "host")) {
            if (has_host || (line->authority.count && !is_same(line->authority, field.value))) form.problem = REQUEST_PROBLEM_HOST;
            has_host = true;
        } else if (is_named(&field, "content-length")) {
            read_length(field.value, &form);
        } else if (is_named(&field, "transfer-encoding")) {
            if (field.value.count == 0) form.problem = REQUEST_PROBLEM_LENGTH;
            form.is_last = true;
        } else if (is_named(&field, "upgrade")) {
            form.upgrades |= field.value.count != 0;
        }
    }
    if (form.problem) return form;
    // What is left is the empty line, unless a line is not a header.
    size_t left = (size_t)(fields.end - fields.at);
    if (left != 1 && !(left == 2 && fields.at[0] == '\r')) form.problem = REQUEST_PROBLEM_HEADER_FORM;
    return form;
}
