internal import CWebSockets
internal import Hub
internal import OSCControl

/// Addresses of clients that come through trusted reverse proxies, from the header `X-Forwarded-For`.
///
/// Each proxy appends the address that it sees, so that only the entries at the end are certain: the last one that is not a trusted proxy
/// is the client. Anything before it may have been sent by the client.
final class ForwardedNames {
    private let proxies: [AddressRange]
    /// By connection, from its latest request.
    private var names: [OpaquePointer: String] = [:]

    init(proxies: [AddressRange]) { self.proxies = proxies }

    func isProxy(_ address: String) -> Bool {
        guard !proxies.isEmpty, let address = NetworkAddress(host: address) else { return false }
        return proxies.contains { $0.contains(address) }
    }

    /// The client's address in a header; nil when it has none, or one that is not numeric.
    func client(in header: String) -> String? {
        for entry in header.split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard let address = NetworkAddress(host: Self.host(entry)) else { return nil }
            if !proxies.contains(where: { $0.contains(address) }) { return address.host }
        }
        return nil
    }

    /// An entry without the port that some proxies add, and without the brackets of an IPv6 address: `[2001:db8::7]:51008`.
    private static func host(_ entry: Substring) -> String {
        let text = entry.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        return text.count { $0 == ":" } == 1 ? String(text.prefix { $0 != ":" }) : text
    }

    /// Reads the header of a request. Call first, and for each request: a proxy sends those of many clients over one connection.
    func note(_ wsi: OpaquePointer) {
        guard !proxies.isEmpty else { return }
        names[wsi] = isProxy(PeerName.connected(wsi)) ? Request(wsi).header(WSI_TOKEN_X_FORWARDED_FOR).flatMap(client) : nil
    }

    func remove(_ wsi: OpaquePointer) { names[wsi] = nil }

    /// The address of a connection's latest request; nil without a proxy.
    subscript(wsi: OpaquePointer) -> String? { names[wsi] }
}
