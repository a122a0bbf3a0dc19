internal import CWebSockets
internal import Crossing
internal import OSCControl

/// How many connections each address has, so that none takes them all.
struct ConnectionCount {
    private let limits: WebLimits
    private var addresses: [OpaquePointer: String] = [:]
    private var counts: [String: Int] = [:]

    init(_ limits: WebLimits) { self.limits = limits }

    /// How many an address may have.
    func most(_ address: String) -> Int {
        NetworkAddress(host: address)?.isLoopback == true ? limits.localConnections : limits.connections
    }

    func hasRoom(_ address: String) -> Bool { counts[address, default: 0] < most(address) }

    mutating func add(_ wsi: OpaquePointer, _ address: String) {
        guard addresses.updateValue(address, forKey: wsi) == nil else { return }
        counts[address, default: 0] += 1
    }

    mutating func remove(_ wsi: OpaquePointer) {
        guard let address = addresses.removeValue(forKey: wsi), let count = counts[address] else { return }
        counts[address] = count > 1 ? count - 1 : nil
    }
}
