/* Debian's libcurl with OpenSSL: curl license. These functions stand for the variadic ones, which Swift cannot call. */
#pragma once
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

static inline CURLcode curl_set_long(CURL *transfer, CURLoption option, long value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode curl_set_text(CURL *transfer, CURLoption option, const char *value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode curl_set_pointer(CURL *transfer, CURLoption option, void *value) {
    return curl_easy_setopt(transfer, option, value);
}

/* Sets a request body, which is copied. */
static inline CURLcode curl_set_body(CURL *transfer, const void *bytes, curl_off_t count) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return result ? result : curl_easy_setopt(transfer, CURLOPT_COPYPOSTFIELDS, bytes);
}

/* Receives size * count bytes of an answer, and returns how many it has taken. */
typedef size_t (*curl_receive_function)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode curl_set_receive_function(CURL *transfer, curl_receive_function function, void *context) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
    return result ? result : curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, function);
}

/* Is called when a connection is ready and before the request is sent. */
static inline CURLcode curl_set_send_function(CURL *transfer, curl_prereq_callback function, void *context) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_PREREQDATA, context);
    return result ? result : curl_easy_setopt(transfer, CURLOPT_PREREQFUNCTION, function);
}

static inline long curl_get_long(CURL *transfer, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(transfer, info, &value) ? 0 : value;
}

static inline void *curl_get_context(CURL *transfer) {
    char *value = 0;
    return curl_easy_getinfo(transfer, CURLINFO_PRIVATE, &value) ? 0 : value;
}

static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/* The result in a message, which is a member of a union. */
static inline CURLcode curl_message_result(const CURLMsg *message) { return message->data.result; }

static inline int curl_limit_probes(void *count, curl_socket_t connection, curlsocktype purpose) {
    (void)purpose;
    int probes = (int)(long)count;
    (void)setsockopt(connection, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    return CURL_SOCKOPT_OK;
}

/* Makes the kernel probe a quiet connection, after idle and then every interval seconds, and give it up after some
   probes without answer; this libcurl has no option for their number. */
static inline void curl_set_keepalive(CURL *transfer, long idle, long interval, long probes) {
    curl_easy_setopt(transfer, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(transfer, CURLOPT_TCP_KEEPIDLE, idle);
    curl_easy_setopt(transfer, CURLOPT_TCP_KEEPINTVL, interval);
    curl_easy_setopt(transfer, CURLOPT_SOCKOPTDATA, (void *)probes);
    curl_easy_setopt(transfer, CURLOPT_SOCKOPTFUNCTION, curl_limit_probes);
}

/* Initializes the library, which no other thread may do at the same time before version 7.84. */
static inline CURLcode curl_initialize(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
