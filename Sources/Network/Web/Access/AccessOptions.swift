public import OSCControl
public import Trust

/// Choices about the permitted clients of a server, and their rights.
public struct AccessOptions {
    /// Host names that requests may use, besides this machine's own addresses.
    public var allowedHosts: [String] = []
    /// nil admits every client that can reach the port: for loopback only.
    public var tokens: AccessTokens?
    /// With a certificate everything but the trust page is served by TLS, on the same port.
    public var certificate: ServerCertificate?
    /// Address under which other machines reach this one, for pairing codes; nil takes the one that is bound.
    public var reachable: String?
    /// Clients that were paired by a code; nil turns pairing off.
    public var pairedClients: PairedClients?
    /// Learns the addresses of paired clients, so that they may send OSC.
    public var admission: OSCAdmission?
    /// Reverse proxies whose header `X-Forwarded-For` is believed.
    public var proxies: [AddressRange] = []

    public init() {}
}
