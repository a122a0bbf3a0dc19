internal import CWebSockets
internal import Glibc

/// Headers as a list of libwebsockets, which adds them to every response.
final class HeaderList {
    private let entries: UnsafeMutablePointer<lws_protocol_vhost_options>
    private let texts: [UnsafeMutablePointer<CChar>?]

    /// - Parameter headers: at least one; names end with a colon.
    init(_ headers: [(name: String, value: String)]) {
        let entries = UnsafeMutablePointer<lws_protocol_vhost_options>.allocate(capacity: headers.count)
        self.entries = entries
        texts = headers.flatMap { [strdup($0.name), strdup($0.value)] }
        for i in headers.indices {
            let next = i + 1 < headers.count ? UnsafePointer(entries + i + 1) : nil
            (entries + i).initialize(to: .init(next: next, options: nil, name: texts[2 * i], value: texts[2 * i + 1]))
        }
    }

    /// Valid as long as this object exists.
    var first: UnsafePointer<lws_protocol_vhost_options> { UnsafePointer(entries) }

    deinit {
        entries.deallocate()
        for text in texts { free(text) }
    }
}
