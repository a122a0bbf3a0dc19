/// The part of a request that concerns the file itself: ranges, and the version that the client has.
struct FileConditions: Sendable {
    /// Ranges are defined for GET alone (RFC 9110, 14.2).
    let isGet: Bool
    /// If-None-Match, If-Range and Range.
    let (known, version, range): (String?, String?, String?)

    init(_ request: Request) {
        isGet = request.method == .get
        known = request.ifNoneMatch
        version = request.ifRange
        range = request.range
    }
}
