// Functions that Swift cannot call: those of libmicrohttpd with variable arguments, and some of the system.
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>

struct live_daemon_options {
  // In seconds.
  unsigned idle_timeout;
  // For the request line and the headers of a connection.
  size_t memory_limit;
  // Texts in PEM form; both NULL without TLS.
  const char *certificate;
  const char *key;
};

struct live_daemon_callbacks {
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void (*log)(void *context, const char *line);
  void *context;
};

static inline void live_log(void *callbacks, const char *format, va_list arguments) {
  const struct live_daemon_callbacks *known = callbacks;
  char line[1024];
  vsnprintf(line, sizeof line, format, arguments);
  known->log(known->context, line);
}

// Decodes a part of a path or a query. Replaces zero bytes, because Swift would end the text there.
static inline size_t live_unescape(void *context, struct MHD_Connection *connection, char *text) {
  (void)context, (void)connection;
  size_t count = MHD_http_unescape(text);
  for (size_t index = 0; index < count; index++)
    if (text[index] == 0) text[index] = 1;
  return count;
}

// The callbacks must outlive the daemon.
static inline struct MHD_Daemon *live_start_daemon(const struct live_daemon_options *options,
                                                   const struct live_daemon_callbacks *callbacks) {
  // Connections are passed to the daemon, so that a socket can be closed while its connections continue: a request to
  // stop listening can fail while the thread of the daemon is busy. There is no thread pool, because it needs a socket.
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC
                   | MHD_USE_ERROR_LOG;
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)options->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)options->key},
      {MHD_OPTION_END, 0, NULL},
  };
  if (options->certificate == NULL) tls[0] = tls[2];
  else flags |= MHD_USE_TLS;
  // The logger comes first, so that it reports errors of the other options.
  return MHD_start_daemon(
      flags, 0, NULL, NULL, callbacks->handle, callbacks->context,
      MHD_OPTION_EXTERNAL_LOGGER, live_log, (void *)callbacks,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
      MHD_OPTION_UNESCAPE_CALLBACK, live_unescape, NULL,
      MHD_OPTION_CONNECTION_LIMIT, INT_MAX,
      MHD_OPTION_CONNECTION_TIMEOUT, options->idle_timeout,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->memory_limit,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_ARRAY, tls,
      MHD_OPTION_END);
}

// The number of open connections of a daemon.
static inline unsigned live_connections(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info == NULL ? 0 : info->num_connections;
}

// The socket of a connection; -1 if there is none.
static inline int live_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

// Accepts a waiting connection, which does not block and is not inherited by other programs; -1 if there is none.
static inline int live_accept(int listening, struct sockaddr *address, socklen_t *size) {
  int connection = accept(listening, address, size);
  if (connection >= 0) {
    fcntl(connection, F_SETFD, FD_CLOEXEC);
    fcntl(connection, F_SETFL, O_NONBLOCK);
  }
  return connection;
}

static inline void live_shutdown(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

// Drops packets with SYN and without ACK, which begin connections. Those whose handshake has begun can still be accepted.
static inline void live_ignore_new_connections(int listening) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),     // the flags of the TCP header
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x12),  // SYN and ACK
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x02, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, 0),
      BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  setsockopt(listening, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}
