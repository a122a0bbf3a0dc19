internal import CConnection

/// A file at an http:// or https:// address. Used by one thread.
///
/// A broken connection is restored if the server supports ranges.
public final class RemoteFile {
    /// The function that returns whether to continue, at a fixed place in memory.
    private final class Question {
        let isWanted: @Sendable () -> Bool
        init(_ isWanted: @escaping @Sendable () -> Bool) { self.isWanted = isWanted }
    }

    public let address: String
    private let download: OpaquePointer
    private let question: Question
    private var buffer = [UInt8](repeating: 0, count: RemoteFile.part)
    /// Seconds without an answer after which a connection counts as lost.
    private static let patience: Int32 = 15
    /// Largest number of bytes that are read at once.
    private static let part = 1 << 18

    /// Connects.
    ///
    /// - Parameters:
    ///   - token: a login of a Vestibule engine; nil for other servers.
    ///   - authority: PEM file of the authorities that certificates are checked against; nil for those of the system.
    ///   - isWanted: called while waiting for the network; calls fail soon after it has returned false.
    /// - Returns: nil when there is nothing at the address.
    /// - Throws: `MediaError` with the address and the reason.
    public init?(
        _ address: String, token: String? = nil, authority: String? = nil, isWanted: @escaping @Sendable () -> Bool
    ) throws(MediaError) {
        guard let download = download_new() else { fatalError("out of memory") }
        (self.download, self.address, question) = (download, address, Question(isWanted))
        // SAFETY: `question` lives as long as the download, which is freed in `deinit`.
        download_ask(
            download, { context in context.map { Unmanaged<Question>.fromOpaque($0).takeUnretainedValue().isWanted() } ?? true },
            Unmanaged.passUnretained(question).toOpaque())
        var problem = connection_problem()
        let isOpen = Self.withOptional(token.map { "Authorization: Bearer \($0)" }) { header in
            Self.withOptional(authority) { download_open(download, address, header, $0, Self.patience, &problem) }
        }
        if !isOpen, problem.is_missing { return nil }
        guard isOpen else { throw error(problem) }
    }

    deinit { download_free(download) }

    private static func withOptional<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        if let text { text.withCString(body) } else { body(nil) }
    }

    /// Bytes of the whole file; nil when the server does not state it.
    public var size: Int64? {
        let size = download_size(download)
        return size > 0 ? size : nil
    }

    /// Continues at a byte.
    /// - Returns: false when the server does not support ranges.
    public func seek(to place: Int64) -> Bool { download_seek(download, place, Self.patience) }

    /// The next bytes; none at the end.
    public func read() throws(MediaError) -> [UInt8] {
        var problem = connection_problem()
        let count = download_read(download, &buffer, Self.part, Self.patience, &problem)
        guard count >= 0 else { throw error(problem) }
        return Array(buffer.prefix(count))
    }

    private func error(_ problem: connection_problem) -> MediaError {
        let text = withUnsafeBytes(of: problem.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return MediaError("\(address): \(text)")
    }
}
