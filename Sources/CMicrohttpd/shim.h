// The functions of libmicrohttpd that Swift does not import because they are variadic, each with the one shape that is used.
#ifndef SPARRING_CMICROHTTPD_SHIM_H
#define SPARRING_CMICROHTTPD_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <gnutls/gnutls.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tls.h"

/// What a listener needs of MHD_start_daemon.
struct sparring_daemon_options {
    int listen_socket;                // -1: connections come by MHD_add_connection alone
    unsigned int connection_limit;
    unsigned int idle_timeout_seconds;
    size_t connection_memory;
    int is_tls;
    const char *tls_key_pem;          // NULL: the name that a client asks for decides (sparring_handshake.on_name)
    const char *tls_certificate_pem;
    const char *tls_priorities;       // GnuTLS' priority string
    void *context;                    // given to every callback
    MHD_AccessHandlerCallback on_access;
    MHD_RequestCompletedCallback on_completed;
    MHD_NotifyConnectionCallback on_connection;
    void *(*on_target)(void *context, const char *target, struct MHD_Connection *connection);
    void (*on_log)(void *context, const char *message);
};

struct sparring_log_sink {
    void *context;
    void (*on_log)(void *context, const char *message);
};

static inline void sparring_log(void *sink_pointer, const char *format, va_list arguments) {
    struct sparring_log_sink *sink = (struct sparring_log_sink *)sink_pointer;
    char message[512];
    vsnprintf(message, sizeof message, format, arguments);
    sink->on_log(sink->context, message);
}

/// MHD_start_daemon. `sink` must live as long as the daemon.
static inline struct MHD_Daemon *sparring_start_daemon(const struct sparring_daemon_options *o, struct sparring_log_sink *sink) {
    // No thread of its own; and nothing to wake it with, as all calls of it come from one.
    unsigned int flags = MHD_USE_EPOLL | (MHD_ALLOW_SUSPEND_RESUME & ~MHD_USE_ITC) | MHD_ALLOW_UPGRADE
                       | MHD_USE_ERROR_LOG | (o->is_tls ? MHD_USE_TLS : 0) | (o->listen_socket < 0 ? MHD_USE_NO_LISTEN_SOCKET : 0);
    struct MHD_OptionItem named[] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)sparring_retrieve},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)o->tls_priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)o->tls_key_pem},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)o->tls_certificate_pem},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)o->tls_priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem listening[] = {{MHD_OPTION_LISTEN_SOCKET, o->listen_socket, NULL}, {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        flags, 0, NULL, NULL, o->on_access, o->context,
        MHD_OPTION_EXTERNAL_LOGGER, sparring_log, sink,  // first, so that it hears of the other options
        MHD_OPTION_CONNECTION_LIMIT, o->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, o->idle_timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->connection_memory,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, o->on_completed, o->context,
        MHD_OPTION_NOTIFY_CONNECTION, o->on_connection, o->context,
        MHD_OPTION_URI_LOG_CALLBACK, o->on_target, o->context,
        MHD_OPTION_ARRAY, o->listen_socket < 0 ? none : listening,
        MHD_OPTION_ARRAY, o->tls_key_pem ? tls : o->is_tls ? named : none,
        MHD_OPTION_END);
}

/// MHD_get_daemon_info for the descriptor that is readable when something is ready; -1 where there is none.
static inline int sparring_daemon_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/// MHD_get_timeout: milliseconds after which MHD_run is to be called though nothing is ready; -1 where there is no such time.
static inline int64_t sparring_daemon_timeout(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG timeout = 0;
    if (MHD_get_timeout(daemon, &timeout) != MHD_YES) return -1;
    return timeout > 1000000 ? 1000000 : (int64_t)timeout;
}

/// MHD_add_connection: libmicrohttpd takes a connected socket over, and closes it where it cannot. Returns 0 then.
static inline int sparring_add_connection(struct MHD_Daemon *daemon, int descriptor) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getpeername(descriptor, (struct sockaddr *)&address, &size) != 0) {
        close(descriptor);
        return 0;
    }
    return MHD_add_connection(daemon, descriptor, (struct sockaddr *)&address, size) == MHD_YES;
}

/// MHD_get_connection_info for the connection's descriptor; -1 where there is none.
static inline int sparring_connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// MHD_get_connection_info for the pointer that the connection callback stored; NULL where there is none.
static inline void *sparring_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// Writes bytes of our own to a connection, under TLS as data of its session. Returns how many it took, 0 where it is full (the same bytes must
/// be offered again: gnutls_record_send), -1 where it is broken.
static inline ssize_t sparring_send(struct MHD_Connection *connection, const void *bytes, size_t count) {
    gnutls_session_t session = sparring_session(connection);
    if (session) {
        ssize_t sent = gnutls_record_send(session, bytes, count);
        if (sent == GNUTLS_E_AGAIN || sent == GNUTLS_E_INTERRUPTED) return 0;
        return sent < 0 ? -1 : sent;
    }
    ssize_t sent = send(sparring_connection_descriptor(connection), bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
    return sent < 0 ? -1 : sent;
}

/// Sends the FIN, under TLS after a closure alert (RFC 8446 §6.1). Returns 0 where that finds no room yet.
static inline int sparring_finish(struct MHD_Connection *connection) {
    gnutls_session_t session = sparring_session(connection);
    if (session) {
        int sent = gnutls_bye(session, GNUTLS_SHUT_WR);
        if (sent == GNUTLS_E_AGAIN || sent == GNUTLS_E_INTERRUPTED) return 0;
    }
    shutdown(sparring_connection_descriptor(connection), SHUT_WR);
    return 1;
}

/// Whether an answer has been queued on the connection, of ours or of libmicrohttpd's own; for its last callbacks too.
static inline int sparring_has_answer(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS) != NULL;
}

/// MHD_get_connection_info for the bytes of a request's head, from its method to its empty line; 0 while it has not been read.
static inline size_t sparring_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// Keeps the query of a target from libmicrohttpd, which nobody asks for it. 0.9.75 gives each argument 64 bytes of the connection's memory; where
/// some 250 have used that up, it overlooks that it has an error to answer with and does nothing until the idle timeout. To be called by the
/// target's callback, which comes before libmicrohttpd splits and decodes that text where it stands: it then finds a query without arguments.
static inline void sparring_forget_arguments(const char *target) {
    char *query = strchr((char *)target, '?');
    if (query && query[1]) query[1] = '\0';
}

/// Bytes that a TCP socket has received and that nobody has read yet; 0 if unknown.
static inline int sparring_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

/// The first byte that has come and not been read yet; -1 where none has.
static inline int sparring_peek(int descriptor) {
    unsigned char byte;
    return recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1 ? byte : -1;
}

/// How many bytes have gone over a TCP connection in all: what the peer has acknowledged, and what has come from it. Both are 0 if unknown.
struct sparring_traffic {
    long acknowledged, received;
};

/// The kernel's tcp_info goes on where libc's ends (linux/tcp.h).
static inline struct sparring_traffic sparring_traffic(int descriptor) {
    struct {
        unsigned char begin[120];
        unsigned long long bytes_acked, bytes_received;
    } info;
    struct sparring_traffic traffic = {0, 0};
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < sizeof info) return traffic;
    traffic.acknowledged = (long)info.bytes_acked;
    traffic.received = (long)info.bytes_received;
    return traffic;
}

/// Opens a file without a name (open(2), O_TMPFILE, which libc's headers hide from Swift) in a folder; where its file system knows none, one whose name is
/// taken away at once. -1 where there can be none.
static inline int sparring_open_private(const char *folder) {
    int descriptor = open(folder, __O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0) return descriptor;
    char path[4096], unique[7] = {0};
    memset(unique, 'X', 6);  // mkstemp(3) replaces them
    if (snprintf(path, sizeof path, "%s/sparring-body-%s", folder, unique) >= (int)sizeof path) return -1;
    descriptor = mkstemp(path);
    if (descriptor < 0) return -1;
    unlink(path);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

/// Bytes that were given to a TCP socket and that the peer's system has not taken yet; 0 if unknown.
static inline int sparring_unacknowledged(int descriptor) {
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : 0;
}

/// MHD_upgrade_action for the end of an upgraded connection.
static inline enum MHD_Result sparring_upgrade_close(struct MHD_UpgradeResponseHandle *upgraded) {
    return MHD_upgrade_action(upgraded, MHD_UPGRADE_ACTION_CLOSE);
}

/// Gives an upgraded TLS connection room to forward in. libmicrohttpd 0.9.75 takes it from the connection's memory, all of which the 101 has just
/// used, so that its emergency buffers remain: 4 bytes each way, a TLS record for every 4 bytes. Those are known for certain by their place inside
/// the handle and by their sizes; where they are not found, nothing is done. Only to be called by the upgrade callback, before any forwarding.
/// Returns what must be freed when the connection is closed, or NULL.
static inline void *sparring_widen_upgrade(struct MHD_UpgradeResponseHandle *upgraded, size_t size) {
    uintptr_t *words = (uintptr_t *)upgraded;
    uintptr_t start = (uintptr_t)upgraded;
    size_t length = malloc_usable_size(upgraded);
    for (size_t i = 0; (i + 6) * sizeof *words <= length; i++) {
        // in_buffer, out_buffer, in_buffer_size, out_buffer_size, in_buffer_used, out_buffer_used
        int is_within = words[i] > start && words[i] + 8 <= start + length && words[i + 1] == words[i] + 4;
        if (!is_within || words[i + 2] != 4 || words[i + 3] != 4 || words[i + 4] != 0 || words[i + 5] != 0) continue;
        char *room = (char *)malloc(2 * size);
        if (!room) return NULL;
        words[i] = (uintptr_t)room;
        words[i + 1] = (uintptr_t)(room + size);
        words[i + 2] = size;
        words[i + 3] = size;
        return room;
    }
    return NULL;
}

/// MHD_create_response_from_callback's constant for a body of unknown length, a macro that Swift does not import.
static inline uint64_t sparring_unknown_size(void) { return MHD_SIZE_UNKNOWN; }

/// MHD_CONTENT_READER_END_OF_STREAM, a macro that Swift does not import.
static inline ssize_t sparring_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

#endif
