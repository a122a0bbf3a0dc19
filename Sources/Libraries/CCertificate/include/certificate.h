#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Makes and reads X.509 certificates by libcrypto. Input and output are PEM texts that end with a zero byte.

/// Size in bytes that is enough for every certificate and key of this program.
#define CERTIFICATE_PEM_SIZE 8192
/// Size in bytes of a buffer for a reason.
#define CERTIFICATE_REASON_SIZE 256
/// Size in bytes of a SHA-256 digest.
#define CERTIFICATE_DIGEST_SIZE 32

/// Makes a key (ECDSA, P-256) and a self-signed authority that may sign only leaf certificates.
/// `name` is the displayed name, at most 64 bytes; `permitted` has the names that it may sign for, in OpenSSL's notation:
/// "critical,permitted;DNS:localhost,permitted;IP:10.0.0.0/255.0.0.0". Returns 0, or -1 with the reason in `reason`.
/// `made_certificate` and `made_key` have CERTIFICATE_PEM_SIZE bytes each.
int certificate_make_authority(
    const char *name, const char *permitted, int days, char *made_certificate, char *made_key, char *reason);

/// Makes a key and a server certificate signed by the authority of `certificate` and `signer_key`.
/// `names` is in OpenSSL's notation: "DNS:localhost,IP:127.0.0.1".
int certificate_make_leaf(
    const char *certificate, const char *signer_key, const char *name, const char *names, int days,
    char *made_certificate, char *made_key, char *reason);

/// Returns 0 when the first certificate of `certificate` matches the key in `key`; neither may need a passphrase.
int certificate_check_pair(const char *certificate, const char *key, char *reason);

/// Returns 0 when `certificate` was signed by the key of `authority`.
int certificate_is_signed_by(const char *certificate, const char *authority);

/// Returns the seconds until the first certificate expires, negative after that; INT64_MIN when it cannot be read.
int64_t certificate_seconds_left(const char *certificate);

/// Returns 1 when the certificate is valid for a name or a numeric address.
int certificate_names(const char *certificate, const char *name);

/// Returns 1 when an authority may sign for a name or a numeric address; with `name` NULL when it may sign for all.
int certificate_permits(const char *authority, const char *name);

/// Writes the common name of a certificate as UTF-8, at most `size` bytes; empty when there is none.
void certificate_common_name(const char *certificate, char *name, int size);

/// Writes the certificate as DER, at most `size` bytes. Returns its length, or -1 when the certificate cannot be read.
int certificate_der(const char *certificate, uint8_t *der, int size);

/// Computes a SHA-256 digest.
void certificate_digest(const uint8_t *bytes, int count, uint8_t *digest);

/// Begins a SHA-256 digest of bytes that come in pieces, or one by SHA-1. Returns NULL without memory.
void *certificate_digest_begin(bool is_sha1);
void certificate_digest_add(void *state, const void *bytes, size_t count);
/// Ends it and frees its memory. `digest` has CERTIFICATE_DIGEST_SIZE bytes, or is NULL.
void certificate_digest_end(void *state, uint8_t *digest);

/// Returns 1 when `count` bytes are equal, in a time that does not depend on the bytes.
int certificate_equal(const uint8_t *one, const uint8_t *other, int count);
