internal import CDatagram
public import Hub

extension NetworkAddress {
    /// Parses a numeric IPv4 or IPv6 address without port; nil for any other text.
    public init?(host text: String) {
        var peer = datagram_peer()
        guard datagram_parse(text, &peer) == 0 else { return nil }
        self.init(peer)
    }

    init(_ peer: datagram_peer) {
        self.init(bytes: unsafeBitCast(peer.address, to: SIMD16<UInt8>.self), port: peer.port, scope: peer.scope)
    }
}

extension datagram_peer {
    init(_ address: NetworkAddress) {
        self.init()
        withUnsafeMutableBytes(of: &self.address) { $0.storeBytes(of: address.bytes, as: SIMD16<UInt8>.self) }
        (port, scope) = (address.port, address.scope)
    }
}
