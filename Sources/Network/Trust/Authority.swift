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
