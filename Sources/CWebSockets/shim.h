#include <libwebsockets.h>

/// Bytes that must be free in front of what lws_write is given.
static const int lws_pre = LWS_PRE;
