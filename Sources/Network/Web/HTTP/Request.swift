internal import CWebSockets

/// The headers of an HTTP request; libwebsockets keeps them only while the request is being answered.
package struct Request {
    package enum Method: String {
        case get, head, post, patch, delete, options, other

        package var name: String { rawValue.uppercased() }
    }

    package let method: Method
    /// Decoded, without the query.
    package let path: String
    /// The part after the question mark; nil when there is none.
    package let query: String?
    private let wsi: OpaquePointer

    package init(_ wsi: OpaquePointer) {
        self.wsi = wsi
        if let path = Self.path(wsi, WSI_TOKEN_GET_URI) {
            (method, self.path) = (.get, path)
        } else if let path = Self.path(wsi, WSI_TOKEN_HEAD_URI) {
            (method, self.path) = (.head, path)
        } else if let path = Self.path(wsi, WSI_TOKEN_POST_URI) {
            (method, self.path) = (.post, path)
        } else if let path = Self.path(wsi, WSI_TOKEN_PATCH_URI) {
            (method, self.path) = (.patch, path)
        } else if let path = Self.path(wsi, WSI_TOKEN_DELETE_URI) {
            (method, self.path) = (.delete, path)
        } else if let path = Self.path(wsi, WSI_TOKEN_OPTIONS_URI) {
            (method, self.path) = (.options, path)
        } else {
            (method, path) = (.other, "/")
        }
        query = Self.header(wsi, WSI_TOKEN_HTTP_URI_ARGS)
    }

    /// The intended method: that of X-HTTP-Method-Override, where a POST has this header. Clients send it through networks that let only
    /// GET and POST pass, and tus asks servers to obey it.
    package var meant: Method {
        guard method == .post, let name = customHeader("x-http-method-override:") else { return method }
        return switch name.uppercased() {
        case "GET": .get
        case "HEAD": .head
        case "POST": .post
        case "PATCH": .patch
        case "DELETE": .delete
        case "OPTIONS": .options
        default: .other
        }
    }

    // MARK: Headers; nil when they are missing or empty

    package var host: String? { header(WSI_TOKEN_HOST) }
    package var origin: String? { header(WSI_TOKEN_ORIGIN) }
    package var referer: String? { header(WSI_TOKEN_HTTP_REFERER) }
    package var contentType: String? { header(WSI_TOKEN_HTTP_CONTENT_TYPE) }
    /// Bytes of the body; nil also when they are too many for a number.
    package var contentLength: Int? { header(WSI_TOKEN_HTTP_CONTENT_LENGTH).flatMap(RequestForm.number) }
    package var range: String? { header(WSI_TOKEN_HTTP_RANGE) }
    package var ifRange: String? { header(WSI_TOKEN_HTTP_IF_RANGE) }
    package var ifNoneMatch: String? { header(WSI_TOKEN_HTTP_IF_NONE_MATCH) }

    /// The value of a header; nil when it is missing or empty.
    func header(_ token: lws_token_indexes) -> String? { Self.header(wsi, token) }

    /// The value of a header unknown to the library; nil when it is missing or empty.
    /// - Parameter name: in lower case, with its colon.
    package func customHeader(_ name: String) -> String? {
        Self.text(Int(lws_hdr_custom_length(wsi, name, Int32(name.utf8.count)))) {
            lws_hdr_custom_copy(wsi, $0, $1, name, Int32(name.utf8.count))
        }
    }

    /// A field of the query, as in `?token=abc&name=x`, decoded; nil without it.
    package func query(_ name: String) -> String? {
        // The library keeps the fields separately.
        var number: Int32 = 0
        while let field = Self.text(
            Int(lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, number)),
            { [wsi] memory, length in
                lws_hdr_copy_fragment(wsi, memory, length, WSI_TOKEN_HTTP_URI_ARGS, number)
            })
        {
            if field.hasPrefix(name + "=") { return String(field.dropFirst(name.utf8.count + 1)) }
            number += 1
        }
        return nil
    }

    /// Whether it only reads.
    var isReading: Bool { [.get, .head, .options].contains(method) }

    /// Whether the library expects a body, or cannot know.
    var mayHaveBody: Bool {
        if let length = header(WSI_TOKEN_HTTP_CONTENT_LENGTH) { return RequestForm.number(length) != 0 }
        return ![.get, .head, .options, .delete].contains(method)
    }

    /// The method by which its route is found; nil for a method that no route has.
    var routeMethod: Route.Method? {
        switch method {
        case .get, .head: wantsPage ? .page : .get
        case .post: .post
        case .patch: .patch
        case .delete: .delete
        case .options: .options
        case .other: nil
        }
    }

    /// True when a browser requests a page, as opposed to a value.
    package var wantsPage: Bool { query == nil && header(WSI_TOKEN_HTTP_ACCEPT)?.contains("text/html") == true }

    /// The library splits a path at each `&`, as if it were a query, and would join the parts by commas.
    private static func path(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
        let whole = header(wsi, token)
        var parts: [String] = []
        while let part = text(
            Int(lws_hdr_fragment_length(wsi, token, Int32(parts.count))),
            { memory, length in
                lws_hdr_copy_fragment(wsi, memory, length, token, Int32(parts.count))
            })
        { parts.append(part) }
        guard parts.count > 1 else { return whole }
        let joined = parts.joined(separator: "&")
        // An empty part ends the search early: such a path leads nowhere.
        return joined.utf8.count == whole?.utf8.count ? joined : "/&"
    }

    private static func header(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
        text(Int(lws_hdr_total_length(wsi, token))) { lws_hdr_copy(wsi, $0, $1, token) }
    }

    /// A text that the library copies into memory of a given length; nil when it is empty.
    private static func text(_ length: Int, _ copy: (UnsafeMutablePointer<CChar>?, Int32) -> Int32) -> String? {
        guard length > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { memory -> String? in
            let count = copy(memory.baseAddress, Int32(length + 1))
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(memory)[..<Int(count)], as: UTF8.self)
        }
    }
}
