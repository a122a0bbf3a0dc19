public import Files
public import OSCControl
public import Trust

extension WebServer {
    /// Settings of a server.
    public struct Options {
        /// Address to bind.
        public var host: String
        /// Port to bind; 0 takes any free one.
        public var port: Int
        /// Address and port that receive OSC, for OSCQuery's HOST_INFO.
        public var oscHost: String
        public var oscPort: Int
        /// Folder of the panel's files; nil serves none.
        public var panel: String?
        public var access = AccessOptions()
        public var limits = WebLimits()
        /// Folders that are hidden from clients that may view, but not control.
        public var folders = HiddenFolders()
        /// Called with its folder before one of the user's files is opened, on the thread that opens it.
        package var onFile: @Sendable (_ folder: String) -> Void = { _ in }

        public init(host: String = "127.0.0.1", port: Int = 8080, panel: String?, oscHost: String, oscPort: Int) {
            self.host = host
            self.port = port
            self.panel = panel
            self.oscHost = oscHost
            self.oscPort = oscPort
        }
    }
}

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
    /// Receives the addresses of paired clients, so that they may send OSC.
    public var admission: OSCAdmission?
    /// Reverse proxies whose header `X-Forwarded-For` is believed.
    public var proxies: [AddressRange] = []

    public init() {}
}

/// Limits on the share of the server that one client may use.
public struct WebLimits: Sendable {
    /// Connections per address of the network.
    public var connections = 64
    /// Connections of programs on this machine.
    public var localConnections = 4096
    /// Messages per second on one WebSocket, where every kilobyte counts as another message; a burst may have twice as many.
    public var messages = 5000
    /// Seconds within which a request has to be complete.
    public var requestSeconds = 10

    public init() {}
}
