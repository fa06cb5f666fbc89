// A connection's TLS handshake, which libmicrohttpd runs with GnuTLS.
#ifndef SPARRING_CMICROHTTPD_TLS_H
#define SPARRING_CMICROHTTPD_TLS_H

#include <errno.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

/// What GnuTLS is given to hold for one connection, until that is closed.
struct sparring_handshake {
    int descriptor;
    int is_read;        // the client's last message has come
    int is_old;         // nothing newer than TLS 1.1 is spoken
    char refused[64];   // the protocols that the client offered (RFC 7301 §3.1), comma-separated, where none of them is spoken here
    void *context;
    void (*on_starved)(void *context);  // the handshake needs more than has come
};

/// MHD_get_connection_info for the session of a connection; NULL where it has none.
static inline gnutls_session_t sparring_session(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? (gnutls_session_t)info->tls_session : NULL;
}

static inline ssize_t sparring_pull(gnutls_transport_ptr_t pointer, void *bytes, size_t size) {
    struct sparring_handshake *handshake = (struct sparring_handshake *)pointer;
    ssize_t count = recv(handshake->descriptor, bytes, size, 0);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && !handshake->is_read) {
        handshake->on_starved(handshake->context);
        errno = EAGAIN;
    }
    return count;
}

static inline int sparring_pull_timeout(gnutls_transport_ptr_t pointer, unsigned milliseconds) {
    int descriptor = ((struct sparring_handshake *)pointer)->descriptor;
    return gnutls_system_recv_timeout((gnutls_transport_ptr_t)(intptr_t)descriptor, milliseconds);
}

/// Writes the names of a ProtocolNameList (RFC 7301 §3.1), as far as there is room.
static inline int sparring_see_extension(void *context, unsigned id, const unsigned char *data, unsigned size) {
    if (id != 16) return 0;  // application_layer_protocol_negotiation
    char *text = (char *)context;
    size_t room = sizeof ((struct sparring_handshake *)0)->refused, used = 0;
    for (unsigned place = 2; place < size && place + 1 + data[place] <= size; place += 1 + data[place]) {
        size_t length = data[place];
        if (used + 2 + length + 1 > room) break;
        if (used) memcpy(text + used, ", ", 2), used += 2;
        memcpy(text + used, data + place + 1, length);
        used += length;
    }
    if (!used) text[used++] = '?';
    text[used] = 0;
    return 0;
}

/// Looks whether supported_versions (RFC 8446 §4.2.1) has one below TLS 1.2.
static inline int sparring_see_versions(void *context, unsigned id, const unsigned char *data, unsigned size) {
    if (id != 43) return 0;
    int *has_old = (int *)context;
    *has_old = 0;
    for (unsigned place = 1; place + 1 < size; place += 2) *has_old |= data[place] == 3 && data[place + 1] < 3;
    return 0;
}

/// Before a message of the handshake is acted upon, and once it has been read or written.
static inline int sparring_on_message(gnutls_session_t session, unsigned type, unsigned when, unsigned incoming, const gnutls_datum_t *message) {
    gnutls_transport_ptr_t pointer, unused;
    gnutls_transport_get_ptr2(session, &pointer, &unused);
    struct sparring_handshake *handshake = (struct sparring_handshake *)pointer;
    if (when == GNUTLS_HOOK_PRE) {
        // Else GnuTLS gives up on such a client without a word. One without the extension says only what its newest version is.
        int has_old = 1;
        if (type != GNUTLS_HANDSHAKE_CLIENT_HELLO || !handshake->is_old) return 0;
        gnutls_ext_raw_parse(&has_old, sparring_see_versions, message, GNUTLS_EXT_RAW_FLAG_TLS_CLIENT_HELLO);
        if (has_old) return 0;
        gnutls_alert_send(session, GNUTLS_AL_FATAL, GNUTLS_A_PROTOCOL_VERSION);
        return GNUTLS_E_UNSUPPORTED_VERSION_PACKET;
    }
    // Whatever the version, and whether the session is resumed: nothing is read after the client's Finished (RFC 8446 §2, RFC 5246 §7.3).
    if (type == GNUTLS_HANDSHAKE_FINISHED && incoming) handshake->is_read = 1;
    if (type != GNUTLS_HANDSHAKE_CLIENT_HELLO) return 0;
    gnutls_datum_t chosen;
    if (gnutls_alpn_get_selected_protocol(session, &chosen) == 0) return 0;
    int parsed = gnutls_ext_raw_parse(handshake->refused, sparring_see_extension, message, GNUTLS_EXT_RAW_FLAG_TLS_CLIENT_HELLO);
    if (parsed < 0 || !handshake->refused[0]) return 0;
    // libmicrohttpd sends no alert when a handshake fails.
    gnutls_alert_send(session, GNUTLS_AL_FATAL, GNUTLS_A_NO_APPLICATION_PROTOCOL);
    return GNUTLS_E_NO_APPLICATION_PROTOCOL;
}

/// Follows the handshake to come, and has it choose HTTP/1.1 or 1.0. A client that offers neither gets the alert no_application_protocol (RFC 7301 §3.2).
/// Only in the callback that tells of a new connection.
static inline void sparring_follow_handshake(struct MHD_Connection *connection, struct sparring_handshake *handshake) {
    gnutls_session_t session = sparring_session(connection);
    if (!session) return;
    static unsigned char newer[] = "http/1.1", older[] = "http/1.0";
    const gnutls_datum_t protocols[] = {{newer, sizeof newer - 1}, {older, sizeof older - 1}};
    gnutls_alpn_set_protocols(session, protocols, 2, 0);
    gnutls_handshake_set_hook_function(session, GNUTLS_HANDSHAKE_ANY, GNUTLS_HOOK_BOTH, sparring_on_message);
    gnutls_transport_ptr_t receives, sends;
    gnutls_transport_get_ptr2(session, &receives, &sends);
    gnutls_transport_set_ptr2(session, handshake, sends);
    gnutls_transport_set_pull_function(session, sparring_pull);
    gnutls_transport_set_pull_timeout_function(session, sparring_pull_timeout);
}

/// The version that a connection's handshake came to, such as "TLS1.3"; NULL where there was none.
static inline const char *sparring_tls_version(struct MHD_Connection *connection) {
    gnutls_session_t session = sparring_session(connection);
    return session ? gnutls_protocol_get_name(gnutls_protocol_get_version(session)) : NULL;
}

/// Writes the protocol that the handshake chose (RFC 7301), with a NUL behind it. Returns 0 where the client offered none.
static inline int sparring_tls_protocol(struct MHD_Connection *connection, char *text, size_t room) {
    gnutls_session_t session = sparring_session(connection);
    gnutls_datum_t chosen;
    if (!session || gnutls_alpn_get_selected_protocol(session, &chosen) != 0) return 0;
    if (chosen.size >= room) return 0;
    memcpy(text, chosen.data, chosen.size);
    text[chosen.size] = 0;
    return 1;
}

#endif
