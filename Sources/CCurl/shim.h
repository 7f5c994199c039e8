#pragma once
#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: one inline a kind of argument. */

static inline CURLcode fleet_curl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fleet_curl_set_text(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/* The body of a POST, which libcurl copies; the size comes first, because the body may hold zero bytes. */
static inline CURLcode fleet_curl_set_body(CURL *_Nonnull handle, const void *_Nullable bytes, size_t count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POST, 1L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code ? code : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
}

static inline CURLcode fleet_curl_set_headers(CURL *_Nonnull handle, struct curl_slist *_Nullable headers) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

typedef size_t (*fleet_curl_write)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode fleet_curl_set_write(CURL *_Nonnull handle, fleet_curl_write _Nonnull body, void *_Nullable context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    return code ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

/* Called about once a second while nothing moves; anything but 0 ends the transfer with CURLE_ABORTED_BY_CALLBACK. */
typedef int (*fleet_curl_progress)(void *_Nullable context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode fleet_curl_set_progress(CURL *_Nonnull handle, fleet_curl_progress _Nonnull body, void *_Nullable context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, body);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    return code ? code : curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

static inline long fleet_curl_status(CURL *_Nonnull handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

static inline const char *_Nullable fleet_curl_text(CURL *_Nonnull handle, CURLINFO what) {
    const char *text = NULL;
    curl_easy_getinfo(handle, what, &text);
    return text;
}

static inline CURLcode fleet_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
