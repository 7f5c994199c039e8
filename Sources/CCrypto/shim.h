#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

/* BIO_new_mem_buf and sk_* are functions or macros that Swift sees differently between versions of OpenSSL; these stay the same. */

/* The first certificate of a PEM text; NULL when there is none. To be freed by X509_free. */
static inline X509 *_Nullable fleet_x509_read(const char *_Nonnull text, int length) {
    BIO *bio = BIO_new_mem_buf(text, length);
    X509 *certificate = bio ? PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;
    BIO_free(bio);
    ERR_clear_error();
    return certificate;
}

static inline int fleet_no_passphrase(char *_Nullable buffer, int size, int writing, void *_Nullable context) { return -1; }

/* The unencrypted private key of a PEM text; NULL when there is none. To be freed by EVP_PKEY_free. */
static inline EVP_PKEY *_Nullable fleet_key_read(const char *_Nonnull text, int length) {
    BIO *bio = BIO_new_mem_buf(text, length);
    EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, fleet_no_passphrase, NULL) : NULL;
    BIO_free(bio);
    ERR_clear_error();
    return key;
}

/* Whether `key` belongs to `certificate`. */
static inline int fleet_x509_fits(X509 *_Nonnull certificate, EVP_PKEY *_Nonnull key) {
    int fits = X509_check_private_key(certificate, key) == 1;
    ERR_clear_error();
    return fits;
}

/* Seconds since 1970 of the certificate's begin or end; `ok` 0 when the certificate does not say. */
static inline long long fleet_x509_time(const X509 *_Nonnull certificate, int end, int *_Nonnull ok) {
    struct tm parts;
    const ASN1_TIME *time = end ? X509_get0_notAfter(certificate) : X509_get0_notBefore(certificate);
    *ok = time && ASN1_TIME_to_tm(time, &parts) == 1;
    return *ok ? (long long)timegm(&parts) : 0;
}

/* Writes the common name as UTF-8; an empty text when there is none. */
static inline void fleet_x509_name(const X509 *_Nonnull certificate, char *_Nonnull text, int size) {
    text[0] = 0;
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, text, size);
}
