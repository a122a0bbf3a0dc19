internal import Files

/// Reason why a certificate or a list of paired clients is not available, and the remedy.
public enum TrustError: Error, Equatable, CustomStringConvertible {
    case notReadable(String, String)
    case notWritable(String, String)
    /// Other users can read a private file.
    case open(String)
    /// A certificate or a key that is no text, but DER, or PKCS#12.
    case binary(String, isKey: Bool, isArchive: Bool)
    case damaged(String, String)
    case unreadableList(String, String)
    case notMade(String)
    case wrongPair(certificate: String, key: String, reason: String)
    case ended(String)

    public var description: String {
        switch self {
        case .notReadable(let path, let reason): "\(path) cannot be read: \(reason)"
        case .notWritable(let path, let reason):
            "\(path) cannot be written: \(reason); set XDG_STATE_HOME to a folder that is writable"
        case .open(let path): "\(FileError.shared(path))"
        case .binary(let path, let isKey, let isArchive):
            "\(isKey ? "--key" : "--certificate") \(path) cannot be used: it is \(isArchive ? "PKCS#12" : "DER"), but PEM is needed, which "
                + "is text; make it with: \(Self.conversion(path, isKey, isArchive))"
        case .damaged(let path, let reason):
            "\(path) cannot be used: \(reason); delete it to get a new one, which every client then has to trust again"
        case .unreadableList(let path, let reason):
            "\(path) cannot be used: \(reason); move it away to start with an empty list of paired clients"
        case .notMade(let reason): reason
        case .wrongPair(let certificate, let key, let reason):
            "--certificate \(certificate) and --key \(key) cannot be used: \(reason)"
        case .ended(let path): "the certificate \(path) has expired; provide a newer one"
        }
    }

    private static func conversion(_ path: String, _ isKey: Bool, _ isArchive: Bool) -> String {
        switch (isKey, isArchive) {
        case (false, false): "openssl x509 -inform DER -in \(path) -out certificate.pem"
        case (true, false): "openssl pkey -inform DER -in \(path) -out key.pem"
        case (false, true): "openssl pkcs12 -in \(path) -nokeys -out certificate.pem"
        case (true, true): "openssl pkcs12 -in \(path) -nocerts -nodes -out key.pem"
        }
    }
}
