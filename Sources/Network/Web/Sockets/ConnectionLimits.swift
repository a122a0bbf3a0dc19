internal import Hub
internal import OSCControl

/// Counts the connections of each address, so that no address takes them all.
final class ConnectionLimits {
    private let limits: WebLimits
    private let access: AccessControl
    private let forwarded: ForwardedNames
    private var addresses: [OpaquePointer: String] = [:]
    private var counts: [String: Int] = [:]

    /// - Parameters:
    ///   - access: logs connections that are refused.
    ///   - forwarded: recognises proxies, which make the connections of many clients.
    init(_ limits: WebLimits, access: AccessControl, forwarded: ForwardedNames) {
        self.limits = limits
        self.access = access
        self.forwarded = forwarded
    }

    /// - Returns: the reason to refuse another connection from an address; nil to admit it.
    func refusal(_ address: String) -> String? {
        let limit = limit(address)
        guard counts[address, default: 0] >= limit else { return nil }
        access.logTooManyConnections(address, limit)
        return "this address has \(limit) connections already; close one of them first"
    }

    func logExhaustion(_ descriptors: Int) { access.logExhaustion(descriptors) }

    private func limit(_ address: String) -> Int {
        let isTrusted = NetworkAddress(host: address)?.isLoopback == true || forwarded.isProxy(address)
        return isTrusted ? limits.localConnections : limits.connections
    }

    func add(_ wsi: OpaquePointer) {
        let address = PeerName.connected(wsi)
        guard addresses.updateValue(address, forKey: wsi) == nil else { return }
        counts[address, default: 0] += 1
    }

    func remove(_ wsi: OpaquePointer) {
        guard let address = addresses.removeValue(forKey: wsi), let count = counts[address] else { return }
        counts[address] = count > 1 ? count - 1 : nil
    }
}
