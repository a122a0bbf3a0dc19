internal import CWebSockets

/// The part of a request that concerns the file itself: ranges, and the version that the client has.
struct FileConditions: Sendable {
    /// Ranges are defined for GET alone (RFC 9110, 14.2).
    let isGet: Bool
    /// If-None-Match, If-Range and Range.
    let (known, version, range): (String?, String?, String?)

    init(_ request: Request) {
        isGet = request.method == .get
        known = request.header(WSI_TOKEN_HTTP_IF_NONE_MATCH)
        version = request.header(WSI_TOKEN_HTTP_IF_RANGE)
        range = request.header(WSI_TOKEN_HTTP_RANGE)
    }
}
