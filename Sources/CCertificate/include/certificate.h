#pragma once
#include <stdint.h>

/// X.509 certificates, made and read through libcrypto. Everything in and out is PEM text that ends with a zero.

/// Bytes that a certificate or key of this program fits in.
#define CERTIFICATE_PEM_SIZE 8192
/// Bytes that a reason fits in.
#define CERTIFICATE_REASON_SIZE 256
/// Bytes of a SHA-256 digest.
#define CERTIFICATE_DIGEST_SIZE 32

/// Makes a key (ECDSA, P-256) and an authority that signs itself with it and may sign leaves only.
/// `name` is what people see, at most 64 bytes. 0, or -1 with the reason in `reason`.
/// `made_certificate` and `made_key` have CERTIFICATE_PEM_SIZE bytes each.
int certificate_make_authority(const char *name, int days, char *made_certificate, char *made_key, char *reason);

/// Makes a key and a server's certificate, signed by the authority of `certificate` and `signer_key`.
/// `names` as OpenSSL writes them: "DNS:localhost,IP:127.0.0.1".
int certificate_make_leaf(
    const char *certificate, const char *signer_key, const char *name, const char *names, int days,
    char *made_certificate, char *made_key, char *reason);

/// 0 when the first certificate of `certificate` and the key in `key` belong together; neither may need a passphrase.
int certificate_check_pair(const char *certificate, const char *key, char *reason);

/// 0 when `certificate` was signed by the key of `authority`.
int certificate_is_signed_by(const char *certificate, const char *authority);

/// Seconds until the first certificate ends, negative when it has ended; INT64_MIN when it cannot be read.
int64_t certificate_seconds_left(const char *certificate);

/// 1 when the certificate is valid for a name or a numeric address.
int certificate_names(const char *certificate, const char *name);

/// The common name that a certificate is for, as UTF-8 in `size` bytes; empty when there is none.
void certificate_common_name(const char *certificate, char *name, int size);

/// The certificate as DER, at most `size` bytes, and its length; -1 when it cannot be read.
int certificate_der(const char *certificate, uint8_t *der, int size);

/// SHA-256.
void certificate_digest(const uint8_t *bytes, int count, uint8_t *digest);

/// 1 when `count` bytes are the same; takes as long whatever they are.
int certificate_equal(const uint8_t *one, const uint8_t *other, int count);
