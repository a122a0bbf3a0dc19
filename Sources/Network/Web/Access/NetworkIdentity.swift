internal import Hub
internal import OSCControl
public import Trust

/// The names and addresses by which clients reach this machine, and the certificate for them.
public struct NetworkIdentity {
    /// The address that the server listens on.
    private let bind: String
    /// Further names that browsers may use.
    private let allowed: [String]

    public init(bind: String, allowed: [String]) { (self.bind, self.allowed) = (bind, allowed) }

    /// The name to announce; nil when no other machine can reach this server, or announcing is turned off.
    /// - Parameter wanted: the name that was asked for, empty for none; nil takes the machine's name.
    public func announcement(_ wanted: String?) -> String? {
        let isLoopback = bind == "localhost" || NetworkAddress(host: bind)?.isLoopback == true
        guard !isLoopback, wanted != "" else { return nil }
        return wanted ?? MachineNames.names.first.map { "Vestibule on \($0)" } ?? "Vestibule"
    }

    private var isEverywhere: Bool { bind == "0.0.0.0" || bind == "::" }

    /// Names for the certificate, those that people are most likely to use first.
    var names: [String] {
        let reached = isEverywhere ? MachineNames.addresses : [bind]
        let all = allowed + reached + MachineNames.names + ["localhost", "127.0.0.1", "::1"]
        return all.reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
    }

    /// - Parameters:
    ///   - own: paths of the user's own certificate and key.
    ///   - folder: of a certificate that is made.
    /// - Returns: nil when TLS is off.
    /// - Throws: `TrustError`.
    public func certificate(
        isWanted: Bool, own: (certificate: String, key: String)?, folder: String
    ) throws(TrustError) -> ServerCertificate? {
        if let own {
            let reached = isEverywhere ? Array(MachineNames.addresses.prefix(1)) : [bind]
            return try .given(certificate: own.certificate, key: own.key, names: allowed.isEmpty ? reached : allowed)
        }
        return isWanted ? try .own(folder: folder, names: names) : nil
    }
}
