#pragma once

/// Reads the heads of HTTP requests before libwebsockets does.
///
/// libwebsockets (as of 4.3) closes connections without an answer on headers whose name is the beginning of one that it knows, on heads
/// larger than its memory and on methods that it does not know. A head is therefore read completely first, checked, and given on in one
/// form: its line, and those of its headers that this program reads. A head that is refused becomes a request with a header by which the
/// server answers in words; no client can send that header, since unknown ones are not given on.

/// Bytes of a whole head, of the address in its first line, and of what is given on of it.
#define REQUEST_HEAD_MOST 65536
#define REQUEST_TARGET_MOST 8192
#define REQUEST_GIVEN_MOST 12288
/// Fields of the address, separated by "&", and headers that are given on.
#define REQUEST_FIELDS_MOST 48
#define REQUEST_HEADERS_MOST 32

/// The beginning of the names of this program's cookies. Others are not given on: browsers send those of all ports of a host.
#define REQUEST_COOKIE_PREFIX "vestibule-"

/// The subprotocols of WebSockets; the first one is for clients that name none of them.
#define REQUEST_PROTOCOL_PLAIN "vestibule"
#define REQUEST_PROTOCOL_OSCQUERY "vestibule.oscquery"
#define REQUEST_PROTOCOL_TELEMETRY "vestibule.telemetry.v1"

/// The header with the list of subprotocols that begin with the plain one's name, tokens among them. The library gets only the one that is
/// chosen, since it refuses lists without a known one.
#define REQUEST_PROTOCOLS_HEADER "vestibule-protocols:"

/// The header of a head that is refused: the number of a problem.
#define REQUEST_PROBLEM_HEADER "vestibule-problem:"

/// Problems of heads.
enum {
    REQUEST_PROBLEM_NONE,
    REQUEST_PROBLEM_SIZE,
    REQUEST_PROBLEM_HEADERS,
    REQUEST_PROBLEM_TARGET_SIZE,
    REQUEST_PROBLEM_METHOD,
    REQUEST_PROBLEM_VERSION,
    REQUEST_PROBLEM_LINE,
    REQUEST_PROBLEM_HEADER_FORM,
    REQUEST_PROBLEM_HOST,
    REQUEST_PROBLEM_LENGTH,
};
