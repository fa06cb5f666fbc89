// libcurl, found when it is first needed: its twenty libraries would cost every start, and most servers never call anybody. Its header gives types and
// numbers only; nothing links to it, so either flavour of the system's (OpenSSL's or GnuTLS's) does.
#ifndef SPARRING_CCURL_SHIM_H
#define SPARRING_CCURL_SHIM_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The functions that are used.
struct sparring_curl {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *easy, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *easy, CURLINFO information, ...);
    CURLcode (*easy_perform)(CURL *easy);
    CURLcode (*easy_recv)(CURL *easy, void *buffer, size_t count, size_t *received);
    CURLcode (*easy_send)(CURL *easy, const void *buffer, size_t count, size_t *sent);
    const char *(*easy_strerror)(CURLcode code);
    void (*easy_cleanup)(CURL *easy);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_perform)(CURLM *multi, int *running);
    CURLMcode (*multi_poll)(CURLM *multi, struct curl_waitfd *extra, unsigned int count, int timeout, int *ready);
    CURLMcode (*multi_wakeup)(CURLM *multi);
    CURLMsg *(*multi_info_read)(CURLM *multi, int *queued);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
    curl_version_info_data *(*version_info)(CURLversion version);
};

/// Finds the functions in the library `name`. Returns NULL, or what is missing as dlerror(3) or by name.
static inline const char *sparring_curl_load(struct sparring_curl *curl, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    struct { const char *name; void *place; } functions[] = {
        {"curl_global_init", &curl->global_init},
        {"curl_easy_init", &curl->easy_init},
        {"curl_easy_setopt", &curl->easy_setopt},
        {"curl_easy_getinfo", &curl->easy_getinfo},
        {"curl_easy_perform", &curl->easy_perform},
        {"curl_easy_recv", &curl->easy_recv},
        {"curl_easy_send", &curl->easy_send},
        {"curl_easy_strerror", &curl->easy_strerror},
        {"curl_easy_cleanup", &curl->easy_cleanup},
        {"curl_multi_init", &curl->multi_init},
        {"curl_multi_add_handle", &curl->multi_add_handle},
        {"curl_multi_remove_handle", &curl->multi_remove_handle},
        {"curl_multi_perform", &curl->multi_perform},
        {"curl_multi_poll", &curl->multi_poll},      // 7.66
        {"curl_multi_wakeup", &curl->multi_wakeup},  // 7.68
        {"curl_multi_info_read", &curl->multi_info_read},
        {"curl_slist_append", &curl->slist_append},
        {"curl_slist_free_all", &curl->slist_free_all},
        {"curl_version_info", &curl->version_info},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) return functions[i].name;
        memcpy(functions[i].place, &function, sizeof function);
    }
    return NULL;
}

// curl_easy_setopt is variadic, so that Swift does not import it: each shape that is used.

static inline CURLcode sparring_curl_set_number(const struct sparring_curl *curl, CURL *easy, CURLoption option, long value) {
    return curl->easy_setopt(easy, option, value);
}

static inline CURLcode sparring_curl_set_size(const struct sparring_curl *curl, CURL *easy, CURLoption option, curl_off_t value) {
    return curl->easy_setopt(easy, option, value);
}

/// The text is copied.
static inline CURLcode sparring_curl_set_text(const struct sparring_curl *curl, CURL *easy, CURLoption option, const char *value) {
    return curl->easy_setopt(easy, option, value);
}

/// Lists, buffers and what callbacks are given: they must live as long as the transfer.
static inline CURLcode sparring_curl_set_pointer(const struct sparring_curl *curl, CURL *easy, CURLoption option, void *value) {
    return curl->easy_setopt(easy, option, value);
}

typedef size_t (*sparring_curl_sink)(char *bytes, size_t size, size_t count, void *context);

/// CURLOPT_HEADERFUNCTION or CURLOPT_WRITEFUNCTION.
static inline CURLcode sparring_curl_set_sink(const struct sparring_curl *curl, CURL *easy, CURLoption option, sparring_curl_sink sink) {
    return curl->easy_setopt(easy, option, sink);
}

static inline curl_socket_t sparring_curl_opened(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    return *(curl_socket_t *)context = socket(address->family, address->socktype, address->protocol);
}

/// Has curl tell which socket it connects. `socket` must live as long as the transfer.
static inline void sparring_curl_tell_socket(const struct sparring_curl *curl, CURL *easy, curl_socket_t *socket) {
    curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, sparring_curl_opened);
    curl->easy_setopt(easy, CURLOPT_OPENSOCKETDATA, socket);
}

/// A number that is known of a transfer (curl_easy_getinfo); 0 where none is.
static inline long sparring_curl_number(const struct sparring_curl *curl, CURL *easy, CURLINFO information) {
    long value = 0;
    return curl->easy_getinfo(easy, information, &value) == CURLE_OK ? value : 0;
}

/// A time or size that is known of a transfer; 0 where none is.
static inline curl_off_t sparring_curl_size(const struct sparring_curl *curl, CURL *easy, CURLINFO information) {
    curl_off_t value = 0;
    return curl->easy_getinfo(easy, information, &value) == CURLE_OK ? value : 0;
}

/// The next transfer that has ended, with its result; NULL where there is none.
static inline CURL *sparring_curl_ended(const struct sparring_curl *curl, CURLM *multi, CURLcode *result) {
    int queued = 0;
    CURLMsg *message;
    while ((message = curl->multi_info_read(multi, &queued)))
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    return NULL;
}

/// Where the library looks for authorities by default; NULL where it was built without such a file (curl_version_info, 7.70).
static inline const char *sparring_curl_authorities(const struct sparring_curl *curl) {
    curl_version_info_data *data = curl->version_info(CURLVERSION_NOW);
    return data->age >= CURLVERSION_SEVENTH ? data->cainfo : NULL;
}

/// memfd_create(2), which is not in Glibc's module.
static inline int sparring_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */); }

#endif
