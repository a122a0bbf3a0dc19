internal import CCertificate
internal import Files

/// The two secrets of a server that other machines can reach: one permits to view and listen, the other to control.
public struct AccessTokens: Sendable {
    /// 32 hexadecimal digits, 128 random bits, when they are not chosen by hand.
    public let control: String
    /// Token in the same form as ``control``.
    public let view: String

    public init(control: String = Secret.random(), view: String = Secret.random()) {
        self.control = control
        self.view = view
    }

    /// The cookie of a client that has presented the token of a role: 64 hexadecimal digits, derived from the token by a one-way function.
    public func login(_ role: AccessRole) -> String {
        let token = role == .control ? control : view
        return Digest.hexadecimal(Digest.sha256(Array("vestibule login \(token)".utf8)))
    }

    /// The role that a token gives; nil for a wrong token. A wrong token takes as long as a right one.
    public func role(_ token: String) -> AccessRole? {
        let isControl = Secret.equal(token, control)
        let isView = Secret.equal(token, view)
        return isControl ? .control : isView ? .view : nil
    }
}

/// Permissions of a client.
public enum AccessRole: String, Sendable, Codable, CaseIterable {
    /// To read values and to listen.
    case view
    /// To read, listen and change values.
    case control
}

/// The private file with a server's tokens: two lines, `control TOKEN` and `view TOKEN`.
public enum TokenFile {
    /// Fewest characters of a token.
    private static let shortest = 16

    /// Reads the file. Makes it with new tokens, and its folders, when it does not exist.
    /// - Throws: ``TokenFileError``.
    public static func open(_ path: String) throws(TokenFileError) -> AccessTokens {
        do {
            if let text = try PrivateFile.read(path) { return try parse(text, path) }
            let tokens = AccessTokens()
            if try PrivateFile.create("control \(tokens.control)\nview \(tokens.view)\n", at: path) { return tokens }
            // Another process has made the file in between.
            return try parse(try PrivateFile.read(path) ?? "", path)
        } catch let error as TrustError {
            throw TokenFileError(error, path)
        } catch let error as TokenFileError {
            throw error
        } catch {
            throw .notReadable(path, "\(error)")
        }
    }

    private static func parse(_ text: String, _ path: String) throws(TokenFileError) -> AccessTokens {
        var found: [AccessRole: String] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let role = AccessRole(rawValue: String(words[0])), isToken(words[1]) else { continue }
            found[role] = String(words[1])
        }
        guard let control = found[.control], let view = found[.view], control != view else { throw .wrong(path) }
        return AccessTokens(control: control, view: view)
    }

    /// Letters, digits, `-` and `_`, which URLs and a WebSocket's list of protocols can contain.
    private static func isToken(_ text: Substring) -> Bool {
        text.utf8.count >= shortest
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}

/// Reason why a server's tokens are not available, and the remedy.
public enum TokenFileError: Error, Equatable, CustomStringConvertible {
    case notWritable(String, String)
    case notReadable(String, String)
    /// Other users can read the file.
    case open(String)
    case wrong(String)

    /// - Parameter path: of the token file.
    init(_ error: TrustError, _ path: String) {
        switch error {
        case .notWritable(_, let reason): self = .notWritable(path, reason)
        case .notReadable(_, let reason): self = .notReadable(path, reason)
        case .open: self = .open(path)
        default: self = .notReadable(path, "\(error)")
        }
    }

    public var description: String {
        switch self {
        case .notWritable(let path, let reason):
            "the token file \(path) cannot be created: \(reason); choose another one with --token-file"
        case .notReadable(let path, let reason): "the token file \(path) cannot be read: \(reason)"
        case .open(let path): "the token file \(FileError.shared(path))"
        case .wrong(let path):
            "the token file \(path) is not valid: it needs the lines \"control TOKEN\" and \"view TOKEN\" with two different tokens "
                + "of 16 or more letters and digits; delete it to get new ones"
        }
    }
}

/// Random texts that grant access.
public enum Secret {
    /// 32 hexadecimal digits, 128 bits of the kernel's random numbers.
    public static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return Digest.hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Compares two texts in a time that depends on their lengths only.
    public static func equal(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count, !one.isEmpty else { return false }
        return certificate_equal(one, other, Int32(one.count)) == 1
    }
}
