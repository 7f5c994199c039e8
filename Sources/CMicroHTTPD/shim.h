#pragma once
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

/* What the daemon is started with; MHD_start_daemon itself is variadic, which Swift cannot call. */
typedef struct fleet_mhd_settings {
    int listen_socket; /* stays the caller's only after MHD_quiesce_daemon */
    unsigned int connection_limit;
    unsigned int per_address_limit;
    unsigned int timeout_s;
    size_t memory_per_connection;
    const char *_Nullable certificate; /* PEM text; NULL for plain HTTP */
    const char *_Nullable key;         /* PEM text */
} fleet_mhd_settings;

/* TLS 1.3 and 1.2, forward secrecy and authenticated encryption alone (RFC 9325, section 4.2), in the server's order. */
#define FLEET_MHD_PRIORITIES                                                                                                              \
    "NONE:+VERS-TLS1.3:+VERS-TLS1.2:+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305:+AEAD:+ECDHE-ECDSA:+ECDHE-RSA:+GROUP-X25519:"            \
    "+GROUP-SECP256R1:+GROUP-SECP384R1:+SIGN-ECDSA-SECP256R1-SHA256:+SIGN-ECDSA-SECP384R1-SHA384:+SIGN-ECDSA-SHA256:+SIGN-ECDSA-SHA384:"   \
    "+SIGN-EDDSA-ED25519:+SIGN-RSA-PSS-RSAE-SHA256:+SIGN-RSA-PSS-RSAE-SHA384:+SIGN-RSA-SHA256:+SIGN-RSA-SHA384:+CTYPE-X509:"              \
    "+COMP-NULL:%SERVER_PRECEDENCE"

static inline int fleet_mhd_hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Percent-decoding in place but for %00, which stays as it is: a zero byte would hide what follows it. */
static inline size_t fleet_mhd_unescape(void *_Nullable context, struct MHD_Connection *_Nullable connection, char *_Nullable text) {
    (void)context;
    (void)connection;
    if (!text) return 0;
    char *to = text;
    for (const char *from = text; *from; from++) {
        int high = from[0] == '%' ? fleet_mhd_hex(from[1]) : -1;
        int low = high >= 0 ? fleet_mhd_hex(from[2]) : -1;
        if (low >= 0 && (high || low)) {
            *to++ = (char)(high << 4 | low);
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = 0;
    return (size_t)(to - text);
}

static inline struct MHD_Daemon *_Nullable fleet_mhd_start(const fleet_mhd_settings *_Nonnull s,
                                                           MHD_AccessHandlerCallback _Nonnull handler,
                                                           MHD_RequestCompletedCallback _Nonnull completed,
                                                           MHD_NotifyConnectionCallback _Nonnull connection, void *_Nullable context) {
    unsigned int flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    struct MHD_OptionItem tls[] = {{MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)s->certificate},
                                   {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)s->key},
                                   {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)FLEET_MHD_PRIORITIES},
                                   {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    if (s->certificate) flags |= MHD_USE_TLS;
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_LISTEN_SOCKET, s->listen_socket,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, connection, context,
                            MHD_OPTION_CONNECTION_LIMIT, s->connection_limit, MHD_OPTION_PER_IP_CONNECTION_LIMIT, s->per_address_limit,
                            MHD_OPTION_CONNECTION_TIMEOUT, s->timeout_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->memory_per_connection,
                            MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK,
                            fleet_mhd_unescape, NULL, MHD_OPTION_ARRAY, s->certificate ? tls : none, MHD_OPTION_END);
}

/* The connection's socket; -1 when the library does not tell. */
static inline int fleet_mhd_socket(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* Writes the client's address as text; an empty text when it is not known. */
static inline void fleet_mhd_client_address(struct MHD_Connection *_Nonnull connection, char *_Nonnull text, size_t size) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    text[0] = 0;
    if (!info || !info->client_addr) return;
    if (info->client_addr->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)info->client_addr)->sin_addr, text, (socklen_t)size);
    else if (info->client_addr->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr, text, (socklen_t)size);
}

/* The library's enumerators under names that Swift sees: it marks its enums closed or as flags, which hides them. */
static const enum MHD_Result fleet_mhd_yes = MHD_YES;
static const enum MHD_Result fleet_mhd_no = MHD_NO;
static const enum MHD_ValueKind fleet_mhd_headers = MHD_HEADER_KIND;
static const enum MHD_ValueKind fleet_mhd_arguments = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ResponseMemoryMode fleet_mhd_copy = MHD_RESPMEM_MUST_COPY;
static const enum MHD_ConnectionNotificationCode fleet_mhd_connection_opened = MHD_CONNECTION_NOTIFY_STARTED;
