// A connection's TLS handshake, which libmicrohttpd runs with GnuTLS.
#ifndef SPARRING_CMICROHTTPD_TLS_H
#define SPARRING_CMICROHTTPD_TLS_H

#include <errno.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/// A certificate, those that lead to its root, and its key, as GnuTLS takes them.
struct sparring_certificate {
    gnutls_pcert_st chain[4];
    unsigned count;
    gnutls_privkey_t key;
};

/// What GnuTLS is given to hold for one connection, until that is closed.
struct sparring_handshake {
    int descriptor;
    int is_read;        // the client's last message has come
    int is_old;         // nothing newer than TLS 1.1 is spoken
    char refused[64];   // the protocols that the client offered (RFC 7301 §3.1), comma-separated, where none of them is spoken here
    void *context;
    void (*on_starved)(void *context);  // the handshake needs more than has come
    // The certificate for the name that the client asks for (RFC 6066 §3), or NULL for one that asks for none; it must outlive the connection.
    const struct sparring_certificate *(*on_name)(void *context, const char *name);
};

/// MHD_get_connection_info for the session of a connection; NULL where it has none.
static inline gnutls_session_t sparring_session(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? (gnutls_session_t)info->tls_session : NULL;
}

static inline void sparring_free_certificate(struct sparring_certificate *certificate) {
    for (unsigned i = 0; i < certificate->count; i++) gnutls_pcert_deinit(&certificate->chain[i]);
    if (certificate->key) gnutls_privkey_deinit(certificate->key);
    free(certificate);
}

/// Reads PEM texts. NULL where they are none.
static inline struct sparring_certificate *sparring_make_certificate(const char *chain, const char *key) {
    struct sparring_certificate *made = (struct sparring_certificate *)calloc(1, sizeof *made);
    if (!made) return NULL;
    const gnutls_datum_t chain_text = {(unsigned char *)chain, (unsigned)strlen(chain)}, key_text = {(unsigned char *)key, (unsigned)strlen(key)};
    unsigned room = sizeof made->chain / sizeof made->chain[0];
    if (gnutls_pcert_list_import_x509_raw(made->chain, &room, &chain_text, GNUTLS_X509_FMT_PEM, 0) == 0) made->count = room;
    if (!made->count || gnutls_privkey_init(&made->key) != 0
        || gnutls_privkey_import_x509_raw(made->key, &key_text, GNUTLS_X509_FMT_PEM, NULL, 0) != 0) {
        sparring_free_certificate(made);
        return NULL;
    }
    return made;
}

/// gnutls_certificate_retrieve_function2: the certificate for the name that a client asks for.
static inline int sparring_retrieve(gnutls_session_t session, const gnutls_datum_t *authorities, int authority_count,
                                    const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
                                    gnutls_pcert_st **chain, unsigned *count, gnutls_privkey_t *key) {
    (void)authorities, (void)authority_count, (void)algorithms, (void)algorithm_count;
    gnutls_transport_ptr_t pointer, unused;
    gnutls_transport_get_ptr2(session, &pointer, &unused);
    struct sparring_handshake *handshake = (struct sparring_handshake *)pointer;
    char name[256];
    size_t size = sizeof name;
    unsigned type = 0;
    int is_named = gnutls_server_name_get(session, name, &size, &type, 0) == 0 && type == GNUTLS_NAME_DNS;
    const struct sparring_certificate *found = handshake->on_name ? handshake->on_name(handshake->context, is_named ? name : NULL) : NULL;
    if (!found) return -1;
    *chain = (gnutls_pcert_st *)found->chain;
    *count = found->count;
    *key = found->key;
    return 0;
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
