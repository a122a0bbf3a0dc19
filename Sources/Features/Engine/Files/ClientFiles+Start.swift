extension ClientFiles {
    /// Files that clients may name, from the options of the command line.
    ///
    /// - Parameters:
    ///   - takes: folder of takes; nil for the usual one.
    ///   - named: files that clients may use wherever they are.
    package convenience init(sessions: String, sounds: String, takes: String?, allowed: [String], named: [String]) {
        var own: [Kind: String] = [.sessions: sessions, .sounds: sounds]
        if let takes { own[.takes] = takes }
        self.init(own: own, allowed: allowed)
        named.forEach { grant($0) }
    }
}
