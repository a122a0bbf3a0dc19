/// The public half of an installation's own certificate authority: what devices are asked to trust.
public struct Authority: Sendable {
    /// As people see it in their lists of authorities.
    public let name: String
    public let pem: String
    public let der: [UInt8]

    init(_ name: String, _ pair: CertificatePair) {
        self.name = name
        pem = pair.certificateOnly
        der = pair.der
    }

    /// SHA-256 of the certificate, as browsers and phones show it.
    public var fingerprint: String { Digest.hexadecimal(Digest.sha256(der), separator: ":", isUppercase: true) }
}
