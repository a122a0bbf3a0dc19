public import Files

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
        /// Folders that those do not see who may view, but not control.
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
