/// The certificate of a TLS server.
public struct ServerCertificate: Sendable {
    /// PEM files.
    public let certificate: String
    public let key: String
    /// nil for a certificate that its owner provides, whose authority is not known here.
    public let authority: Authority?
    /// Problems that the user may want to solve, in words.
    public let warnings: [String]

    /// Phones refuse certificates of more than 825 days; one that is renewed automatically can be shorter.
    private static let leafDays: Int32 = 397
    private static let authorityDays: Int32 = 3650
    private static let renewedBefore: Int64 = 30 * 86_400

    /// A certificate of this installation's own authority, both made when they do not exist. It is renewed when it lacks a
    /// name or expires within 30 days.
    ///
    /// - Parameters:
    ///   - folder: `authority.pem` and `server.pem`, both with their keys, and `authority.crt` without.
    ///   - names: names and numeric addresses, the most used first. The authority is made for these and for private networks; later
    ///     ones beyond that are left out of the certificate, with a warning.
    public static func own(folder: String, names: [String]) throws(TrustError) -> ServerCertificate {
        try PrivateFile.exclusively(folder + "/lock") { () throws(TrustError) in
            let authority = try authority(folder, names)
            let file = folder + "/authority.pem"
            let foreign = names.filter { !authority.permits($0) }
            let names = names.filter(authority.permits)
            var warnings: [String] = []
            if authority.isUnlimited {
                warnings.append(
                    "the authority \(file) is of an earlier version and may sign for any host, not for this machine only; \(renewal)")
            }
            if !foreign.isEmpty {
                warnings.append(
                    "the authority \(file) may not sign for \(foreign.joined(separator: ", ")), so that browsers will refuse the server "
                        + "under this name; \(renewal)")
            }
            let path = folder + "/server.pem"
            let kept = try PrivateFile.read(path).map { CertificatePair($0) }
            let isGood = kept.map { kept in
                kept.problem == nil && kept.isSigned(by: authority) && kept.secondsLeft > renewedBefore
                    && names.allSatisfy(kept.names)
            }
            if isGood != true { try PrivateFile.write(try authority.leaf(names, days: leafDays).text, to: path) }
            return ServerCertificate(
                certificate: path, key: path, authority: Authority(authority.commonName, authority), warnings: warnings)
        }
    }

    private static let renewal = "delete the file to get a new one at the next start, which every client then has to trust again"

    private static func authority(_ folder: String, _ names: [String]) throws(TrustError) -> CertificatePair {
        let path = folder + "/authority.pem"
        if let text = try PrivateFile.read(path) {
            let kept = CertificatePair(text)
            if let problem = kept.problem { throw .damaged(path, problem) }
            if kept.secondsLeft < renewedBefore { throw .damaged(path, "it has expired or expires within 30 days") }
            return kept
        }
        let host = MachineNames.names.first.map { " on \($0)" } ?? ""
        let made = try CertificatePair.authority(String("Vestibule\(host)".prefix(64)), names: names, days: authorityDays)
        try PrivateFile.write(made.text, to: path)
        try PrivateFile.write(made.certificateOnly, to: folder + "/authority.crt")
        return made
    }

    /// A certificate that its owner provides, optionally with its chain.
    /// - Parameter names: names of the server; each name that the certificate lacks gives a warning.
    public static func given(certificate: String, key: String, names: [String]) throws(TrustError) -> ServerCertificate {
        let pair = CertificatePair(
            certificate: try PrivateFile.readPEM(certificate, isKey: false), key: try PrivateFile.readPEM(key, isKey: true))
        if let problem = pair.problem { throw .wrongPair(certificate: certificate, key: key, reason: problem) }
        guard pair.secondsLeft > 0 else { throw .ended(certificate) }
        var warnings: [String] = []
        if pair.secondsLeft < renewedBefore {
            warnings.append("the certificate \(certificate) expires in \(counted(Int(pair.secondsLeft / 86_400), "day"))")
        }
        for name in names where !pair.names(name) {
            warnings.append("the certificate \(certificate) is not valid for \(name); browsers will refuse the server under this name")
        }
        return ServerCertificate(certificate: certificate, key: key, authority: nil, warnings: warnings)
    }

    private init(certificate: String, key: String, authority: Authority?, warnings: [String]) {
        self.certificate = certificate
        self.key = key
        self.authority = authority
        self.warnings = warnings
    }
}

/// The public half of an installation's own certificate authority, which clients are asked to trust.
public struct Authority: Sendable {
    /// Name in the lists of authorities of browsers and systems.
    public let name: String
    public let pem: String
    public let der: [UInt8]
    /// Whether it may sign for all hosts, as authorities of earlier versions may.
    public let isUnlimited: Bool

    init(_ name: String, _ pair: CertificatePair) {
        self.name = name
        pem = pair.certificateOnly
        der = pair.der
        isUnlimited = pair.isUnlimited
    }

    /// SHA-256 of the certificate, as browsers and phones show it.
    public var fingerprint: String { Digest.hexadecimal(Digest.sha256(der), separator: ":", isUppercase: true) }
}
