#include <libwebsockets.h>
#include <sys/timerfd.h>

/// Bytes that must be free in front of what lws_write is given.
static const int lws_pre = LWS_PRE;

/// TLS, and plain HTTP beside it on the same port.
static const uint64_t lws_tls_beside_plain = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT
    | LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT | LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER;

/// To lws_set_timeout: ends a connection from outside of its own callbacks.
static const int lws_kill_async = LWS_TO_KILL_ASYNC;

/// TLS 1.2 and newer, the server's order of suites, no renegotiation (OpenSSL's SSL_OP_…).
static const long lws_tls_options = SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_CIPHER_SERVER_PREFERENCE
    | SSL_OP_NO_RENEGOTIATION;
