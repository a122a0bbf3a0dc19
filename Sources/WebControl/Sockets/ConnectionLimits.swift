internal import CWebSockets
internal import Hub
internal import OSCControl

/// Counts the connections of each address, so that no address takes them all.
final class ConnectionLimits {
    private let limits: WebLimits
    private let access: AccessControl
    private var addresses: [OpaquePointer: String] = [:]
    private var counts: [String: Int] = [:]

    /// - Parameter access: logs connections that are refused.
    init(_ limits: WebLimits, access: AccessControl) {
        self.limits = limits
        self.access = access
    }

    /// Whether the address of a new connection may have another one.
    func admits(_ arguments: UnsafePointer<lws_filter_network_conn_args>?) -> Bool {
        guard let arguments else { return true }
        let address = PeerName.of(arguments)
        if counts[address, default: 0] < limit(address) { return true }
        access.logTooManyConnections(address, limit(address))
        return false
    }

    private func limit(_ address: String) -> Int {
        NetworkAddress(host: address)?.isLoopback == true ? limits.localConnections : limits.connections
    }

    func add(_ wsi: OpaquePointer) {
        let address = PeerName.of(wsi)
        guard addresses.updateValue(address, forKey: wsi) == nil else { return }
        counts[address, default: 0] += 1
    }

    func remove(_ wsi: OpaquePointer) {
        guard let address = addresses.removeValue(forKey: wsi), let count = counts[address] else { return }
        counts[address] = count > 1 ? count - 1 : nil
    }
}
