/* The yardstick: libmicrohttpd answering a constant of the domain lookup's size from one epoll thread, with nothing behind it. */
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char body[] = "{\"service\":\"idp\",\"account\":\"12345678\",\"baseURI\":\"127.0.0.1:8443\"}";

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *data, size_t *size, void **request) {
    (void)context, (void)url, (void)method, (void)version, (void)data, (void)size;
    static int seen;
    if (!*request) { /* as a server must that reads bodies: the head alone first */
        *request = &seen;
        return MHD_YES;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(body), (void *)body, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result = MHD_queue_response(connection, 200, response);
    MHD_destroy_response(response);
    return result;
}

int main(void) {
    struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_END);
    if (!daemon) return 1;
    printf("%u\n", (unsigned)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    pause();
    return 0;
}
