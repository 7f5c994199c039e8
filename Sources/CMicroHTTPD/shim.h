#pragma once
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

/* What the daemon is started with; MHD_start_daemon itself is variadic, which Swift cannot call. */
typedef struct fleet_mhd_settings {
    const struct sockaddr *_Nonnull address;
    int is_ipv6;
    unsigned int connection_limit;
    unsigned int per_address_limit;
    unsigned int timeout_s;
    size_t memory_per_connection;
    const char *_Nullable certificate; /* PEM text; NULL for plain HTTP */
    const char *_Nullable key;         /* PEM text */
} fleet_mhd_settings;

static inline struct MHD_Daemon *_Nullable fleet_mhd_start(const fleet_mhd_settings *_Nonnull s,
                                                           MHD_AccessHandlerCallback _Nonnull handler,
                                                           MHD_RequestCompletedCallback _Nonnull completed, void *_Nullable context) {
    unsigned int flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)s->certificate}, {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)s->key}, {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    if (s->is_ipv6) flags |= MHD_USE_IPv6;
    if (s->certificate) flags |= MHD_USE_TLS;
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_SOCK_ADDR, s->address, MHD_OPTION_NOTIFY_COMPLETED, completed,
                            context, MHD_OPTION_CONNECTION_LIMIT, s->connection_limit, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
                            s->per_address_limit, MHD_OPTION_CONNECTION_TIMEOUT, s->timeout_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                            s->memory_per_connection, MHD_OPTION_ARRAY, s->certificate ? tls : none, MHD_OPTION_END);
}

/* The port that the daemon listens on; 0 when it does not tell. */
static inline unsigned int fleet_mhd_port(struct MHD_Daemon *_Nonnull daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
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
