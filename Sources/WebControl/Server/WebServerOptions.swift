public import FileOutput
public import OSCControl
public import Trust

extension WebServer {
    /// Settings of a server.
    public struct Options {
        /// Address to bind.
        public var host: String
        /// Port to bind; 0 takes any free one.
        public var port: Int
        /// Folder of the panel's files; nil serves none.
        public var panel: String?
        /// Folder of the results of listening tests, for those who may control; nil serves none.
        public var results: String?
        /// Folder of the takes, for those who may control; nil serves none.
        public var takes: String?
        /// A page of the table of listeners, as JSON: `count` rows of those that `search` has found, from place `from` on. Asked on the
        /// loop.
        public var listenerTable: (_ from: Int, _ count: Int, _ search: String) -> [UInt8] = { _, _, _ in [] }
        /// The list of takes in JSON; asked on the loop. nil until it is known.
        public var takeList: () -> [UInt8]? = { nil }
        /// The list of the media library in JSON; asked on the loop. nil until it is known.
        public var library: () -> [UInt8]? = { nil }
        /// A part of that list in JSON; asked on the loop. nil until it is known.
        public var libraryPage: (_ query: LibraryQuery) -> [UInt8]? = { _ in nil }
        /// The folder of a file of the media library; nil for none.
        public var libraryFolder: (_ place: String, _ name: String) -> String? = { _, _ in nil }
        /// The spectrogram of a sound of the media library; asked on the loop. nil until it is known.
        public var librarySpectrogram: (_ place: String, _ name: String) -> (any Encodable)? = { _, _ in nil }
        /// Whether the media library may grow by so many bytes; asked on the loop. nil until it is known.
        public var libraryHasRoom: (_ bytes: Int64) -> Bool? = { _ in true }
        /// Called on the loop when a client has sent a file of so many bytes.
        public var onFile: (_ bytes: Int64) -> Void = { _ in }
        /// Files that clients who may control can send.
        public var accepted: [AcceptedFiles] = []
        /// The overview of the recording that is loaded; asked on the loop.
        public var overview: () -> [UInt8]? = { nil }
        /// Browsers that may exchange cameras at once; 0 for none.
        public var cameras = 64
        /// Whether the engine has objects that can sound their microphones.
        public var hearsCameras = false
        /// Path of the 360-degree video that is shown; asked on the loop. nil for none.
        public var video: () -> String? = { nil }
        /// Folder of recordings that are packed for browsers; nil serves none.
        public var packages: String?
        /// The list of these recordings in JSON; asked on the loop.
        public var packageList: () -> [UInt8] = { [] }
        /// Address and port that receive OSC, for OSCQuery's HOST_INFO.
        public var oscHost: String
        public var oscPort: Int

        /// Host names that requests may use, besides this machine's own addresses.
        public var allowedHosts: [String] = []
        /// nil admits every client that can reach the port: for loopback only.
        public var tokens: AccessTokens?
        /// With a certificate everything but the trust page is served by TLS, on the same port.
        public var certificate: ServerCertificate?
        /// Address under which other machines reach this one, for pairing codes; nil takes ``host``.
        public var reachable: String?
        /// Clients that were paired by a code; nil turns pairing off.
        public var pairedClients: PairedClients?
        /// Learns the addresses of paired clients, so that they may send OSC.
        public var admission: OSCAdmission?
        /// Reverse proxies whose header `X-Forwarded-For` is believed.
        public var proxies: [AddressRange] = []
        public var limits = WebLimits()
        public var hls = HLSSettings()

        public init(host: String = "127.0.0.1", port: Int = 8080, panel: String?, oscHost: String, oscPort: Int) {
            self.host = host
            self.port = port
            self.panel = panel
            self.oscHost = oscHost
            self.oscPort = oscPort
        }
    }
}
