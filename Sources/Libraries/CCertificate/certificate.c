#include "certificate.h"
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/// A new certificate is valid from a day ago, for clients whose clocks are slow.
#define BACKDATED_SECONDS (-86400L)

/// Stores a reason for the user; the library's own messages describe its decoders.
static int refuse(char *reason, const char *what) {
    snprintf(reason, CERTIFICATE_REASON_SIZE, "%s", what);
    ERR_clear_error();
    return -1;
}

static int fail(char *reason, const char *what) {
    unsigned long error = ERR_get_error();
    const char *detail = error ? ERR_reason_error_string(error) : NULL;
    snprintf(reason, CERTIFICATE_REASON_SIZE, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
    ERR_clear_error();
    return -1;
}

/// Replaces the prompt for a passphrase at the terminal: no passphrase is known.
static int no_passphrase(char *buffer, int size, int writing, void *user) {
    (void)buffer, (void)size, (void)writing, (void)user;
    return 0;
}

static X509 *read_certificate(const char *text) {
    BIO *source = BIO_new_mem_buf(text, -1);
    X509 *certificate = source ? PEM_read_bio_X509(source, NULL, no_passphrase, NULL) : NULL;
    BIO_free(source);
    return certificate;
}

static EVP_PKEY *read_key(const char *text) {
    BIO *source = BIO_new_mem_buf(text, -1);
    EVP_PKEY *key = source ? PEM_read_bio_PrivateKey(source, NULL, no_passphrase, NULL) : NULL;
    BIO_free(source);
    return key;
}

static int take_text(BIO *from, char *to) {
    char *bytes = NULL;
    long count = BIO_get_mem_data(from, &bytes);
    if (count <= 0 || count >= CERTIFICATE_PEM_SIZE) return -1;
    memcpy(to, bytes, (size_t)count);
    to[count] = 0;
    return 0;
}

static int write_pair(X509 *certificate, EVP_PKEY *key, char *made_certificate, char *made_key) {
    BIO *first = BIO_new(BIO_s_mem()), *second = BIO_new(BIO_s_mem());
    int result = first && second && PEM_write_bio_X509(first, certificate)
        && PEM_write_bio_PKCS8PrivateKey(second, key, NULL, NULL, 0, NULL, NULL)
        && take_text(first, made_certificate) == 0 && take_text(second, made_key) == 0 ? 0 : -1;
    BIO_free(first);
    BIO_free(second);
    return result;
}

static int add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int result = extension && X509_add_ext(certificate, extension, -1) ? 0 : -1;
    X509_EXTENSION_free(extension);
    return result;
}

/// Returns a certificate with a random serial number of 127 bits, without extensions and signature.
static X509 *begin_certificate(const char *name, X509_NAME *issuer, EVP_PKEY *key, int days) {
    X509 *made = X509_new();
    unsigned char serial[16];
    if (!made || RAND_bytes(serial, sizeof serial) != 1) goto failed;
    serial[0] &= 0x7F;
    BIGNUM *number = BN_bin2bn(serial, sizeof serial, NULL);
    int numbered = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(made));
    BN_free(number);
    X509_NAME *subject = X509_get_subject_name(made);
    const unsigned char *text = (const unsigned char *)name;
    if (!numbered || !X509_set_version(made, X509_VERSION_3)
        || !X509_NAME_add_entry_by_txt(subject, "O", MBSTRING_UTF8, (const unsigned char *)"Vestibule", -1, -1, 0)
        || !X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, text, -1, -1, 0)
        || !X509_set_issuer_name(made, issuer ? issuer : subject) || !X509_set_pubkey(made, key)
        || !X509_gmtime_adj(X509_getm_notBefore(made), BACKDATED_SECONDS)
        || !X509_time_adj_ex(X509_getm_notAfter(made), days, 0, NULL))
        goto failed;
    return made;
failed:
    X509_free(made);
    return NULL;
}

int certificate_make_authority(
    const char *name, const char *permitted, int days, char *made_certificate, char *made_key, char *reason) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = key ? begin_certificate(name, NULL, key, days) : NULL;
    int result = certificate
        && add_extension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") == 0
        && add_extension(certificate, certificate, NID_key_usage, "critical,keyCertSign,cRLSign") == 0
        && add_extension(certificate, certificate, NID_ext_key_usage, "serverAuth") == 0
        && add_extension(certificate, certificate, NID_name_constraints, permitted) == 0
        && add_extension(certificate, certificate, NID_subject_key_identifier, "hash") == 0
        && X509_sign(certificate, key, EVP_sha256()) > 0 && write_pair(certificate, key, made_certificate, made_key) == 0 ? 0 : -1;
    X509_free(certificate);
    EVP_PKEY_free(key);
    return result == 0 ? 0 : fail(reason, "the authority was not made");
}

int certificate_make_leaf(
    const char *certificate, const char *signer_key, const char *name, const char *names, int days,
    char *made_certificate, char *made_key, char *reason) {
    X509 *issuer = read_certificate(certificate), *leaf = NULL;
    EVP_PKEY *signer = read_key(signer_key), *key = EVP_EC_gen("P-256");
    if (issuer && signer && key) leaf = begin_certificate(name, X509_get_subject_name(issuer), key, days);
    int result = leaf && add_extension(leaf, issuer, NID_basic_constraints, "critical,CA:FALSE") == 0
        && add_extension(leaf, issuer, NID_key_usage, "critical,digitalSignature") == 0
        && add_extension(leaf, issuer, NID_ext_key_usage, "serverAuth") == 0
        && add_extension(leaf, issuer, NID_subject_alt_name, names) == 0
        && add_extension(leaf, issuer, NID_subject_key_identifier, "hash") == 0
        && add_extension(leaf, issuer, NID_authority_key_identifier, "keyid:always") == 0
        && X509_sign(leaf, signer, EVP_sha256()) > 0 && write_pair(leaf, key, made_certificate, made_key) == 0 ? 0 : -1;
    X509_free(issuer);
    X509_free(leaf);
    EVP_PKEY_free(signer);
    EVP_PKEY_free(key);
    return result == 0 ? 0 : fail(reason, "the certificate was not made");
}

int certificate_check_pair(const char *text, const char *key_text, char *reason) {
    ERR_clear_error();
    X509 *certificate = read_certificate(text);
    if (!certificate) return refuse(reason, "there is no PEM certificate in it");
    EVP_PKEY *key = read_key(key_text);
    int result = 0;
    if (!key) result = refuse(reason, "the key is not a PEM private key without passphrase");
    else if (X509_check_private_key(certificate, key) != 1) result = refuse(reason, "the key belongs to another certificate");
    EVP_PKEY_free(key);
    X509_free(certificate);
    return result;
}

int certificate_is_signed_by(const char *text, const char *authority_text) {
    X509 *certificate = read_certificate(text), *authority = read_certificate(authority_text);
    int good = certificate && authority && X509_verify(certificate, X509_get0_pubkey(authority)) == 1;
    X509_free(certificate);
    X509_free(authority);
    ERR_clear_error();
    return good ? 0 : -1;
}

int64_t certificate_seconds_left(const char *text) {
    X509 *certificate = read_certificate(text);
    int days = 0, seconds = 0;
    int known = certificate && ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate));
    X509_free(certificate);
    ERR_clear_error();
    return known ? (int64_t)days * 86400 + seconds : INT64_MIN;
}

int certificate_names(const char *text, const char *name) {
    X509 *certificate = read_certificate(text);
    int good = certificate && (X509_check_ip_asc(certificate, name, 0) == 1
        || X509_check_host(certificate, name, 0, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, NULL) == 1);
    X509_free(certificate);
    ERR_clear_error();
    return good;
}

/// Whether a part of the permitted names contains a name or, where it is not NULL, an address.
static int contains(const GENERAL_NAME *part, const char *name, const ASN1_OCTET_STRING *address) {
    const ASN1_STRING *range = part->type == GEN_DNS ? part->d.dNSName : part->type == GEN_IPADD ? part->d.iPAddress : NULL;
    if (!range) return 0;
    const unsigned char *bytes = ASN1_STRING_get0_data(range);
    int size = ASN1_STRING_length(range);
    if (part->type == GEN_IPADD) {
        int count = address ? ASN1_STRING_length(address) : 0;
        if (!count || size != 2 * count) return 0;
        const unsigned char *given = ASN1_STRING_get0_data(address);
        for (int i = 0; i < count; i++)
            if ((given[i] ^ bytes[i]) & bytes[count + i]) return 0;
        return 1;
    }
    // A name permits those below it as well.
    int before = (int)strlen(name) - size;
    return !address && before >= 0 && strncasecmp(name + before, (const char *)bytes, (size_t)size) == 0
        && (before == 0 || name[before - 1] == '.');
}

int certificate_permits(const char *text, const char *name) {
    X509 *certificate = read_certificate(text);
    NAME_CONSTRAINTS *limits = certificate ? X509_get_ext_d2i(certificate, NID_name_constraints, NULL, NULL) : NULL;
    ASN1_OCTET_STRING *address = name ? a2i_IPADDRESS(name) : NULL;
    int count = limits ? sk_GENERAL_SUBTREE_num(limits->permittedSubtrees) : 0;
    int good = certificate && !limits;
    for (int i = 0; name && i < count && !good; i++)
        good = contains(sk_GENERAL_SUBTREE_value(limits->permittedSubtrees, i)->base, name, address);
    ASN1_OCTET_STRING_free(address);
    NAME_CONSTRAINTS_free(limits);
    X509_free(certificate);
    ERR_clear_error();
    return good;
}

void certificate_common_name(const char *text, char *name, int size) {
    X509 *certificate = read_certificate(text);
    name[0] = 0;
    if (certificate) X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, size);
    X509_free(certificate);
    ERR_clear_error();
}

int certificate_der(const char *text, uint8_t *der, int size) {
    X509 *certificate = read_certificate(text);
    int count = certificate ? i2d_X509(certificate, NULL) : -1;
    if (count > 0 && count <= size) {
        unsigned char *at = der;
        count = i2d_X509(certificate, &at);
    } else {
        count = -1;
    }
    X509_free(certificate);
    ERR_clear_error();
    return count;
}

void certificate_digest(const uint8_t *bytes, int count, uint8_t *digest) {
    EVP_Digest(bytes, (size_t)count, digest, NULL, EVP_sha256(), NULL);
}

void *certificate_digest_begin(bool is_sha1) {
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    if (state && EVP_DigestInit_ex(state, is_sha1 ? EVP_sha1() : EVP_sha256(), NULL) == 1) return state;
    EVP_MD_CTX_free(state);
    return NULL;
}

void certificate_digest_add(void *state, const void *bytes, size_t count) {
    if (state) EVP_DigestUpdate(state, bytes, count);
}

void certificate_digest_end(void *state, uint8_t *digest) {
    if (state && digest) EVP_DigestFinal_ex(state, digest, NULL);
    EVP_MD_CTX_free(state);
}

int certificate_equal(const uint8_t *one, const uint8_t *other, int count) {
    return CRYPTO_memcmp(one, other, (size_t)count) == 0;
}
