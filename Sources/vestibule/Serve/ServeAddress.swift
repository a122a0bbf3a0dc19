import Crossing
import OSCControl
import Trust

/// Under which names and addresses this machine is asked for, and the certificate that says so.
struct ServeAddress {
    /// The address that is bound.
    let bind: String
    /// Names that were allowed besides.
    let allowed: [String]

    /// The name to announce; nil when nobody else can reach this server, or nobody is to be told.
    /// - Parameter wanted: what was asked for.
    func announcement(_ wanted: String?) -> String? {
        let isLoopback = bind == "localhost" || NetworkAddress(host: bind)?.isLoopback == true
        guard !isLoopback, wanted != "" else { return nil }
        return wanted ?? MachineNames.names.first.map { "Vestibule on \($0)" } ?? "Vestibule"
    }

    private var isEverywhere: Bool { bind == "0.0.0.0" || bind == "::" }

    /// The one that people use first.
    var names: [String] {
        let reached = isEverywhere ? MachineNames.addresses : [bind]
        let all = allowed + reached + MachineNames.names + ["localhost", "127.0.0.1", "::1"]
        return all.reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
    }

    /// - Parameter own: paths of somebody's own certificate and key.
    /// - Returns: nil when no TLS is wanted.
    /// - Throws: `TrustError`.
    func certificate(isWanted: Bool, own: (certificate: String, key: String)?) throws(TrustError) -> ServerCertificate? {
        if let own {
            let reached = isEverywhere ? Array(MachineNames.addresses.prefix(1)) : [bind]
            return try .given(certificate: own.certificate, key: own.key, names: allowed.isEmpty ? reached : allowed)
        }
        return isWanted ? try .own(folder: StateFolder.path + "/tls", names: names) : nil
    }
}
