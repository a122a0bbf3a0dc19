internal import Glibc
internal import Trust

/// The file that keeps a server's tokens: two lines, `control TOKEN` and `view TOKEN`, for its owner alone.
public enum TokenFile {
    /// Digits or letters that a token must have.
    private static let shortest = 16
    private static let longest = 4096

    /// Reads the file; makes it, and the folders to it, with new tokens when there is none.
    /// - Throws: ``TokenFileError``.
    public static func open(_ path: String) throws(TokenFileError) -> AccessTokens {
        makeFolders(path)
        let made = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if made >= 0 {
            defer { close(made) }
            let tokens = AccessTokens()
            let bytes = Array("control \(tokens.control)\nview \(tokens.view)\n".utf8)
            guard write(made, bytes, bytes.count) == bytes.count else { throw .notWritable(path, reason) }
            return tokens
        }
        guard errno == EEXIST else { throw .notWritable(path, reason) }
        return try read(path)
    }

    private static func read(_ path: String) throws(TokenFileError) -> AccessTokens {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .notReadable(path, reason) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .notReadable(path, "it is no file")
        }
        guard facts.st_mode & 0o077 == 0 else { throw .open(path) }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .notReadable(path, reason) }
        var found: [AccessRole: String] = [:]
        for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let role = AccessRole(rawValue: String(words[0])), isToken(words[1]) else { continue }
            found[role] = String(words[1])
        }
        guard let control = found[.control], let view = found[.view], control != view else { throw .wrong(path) }
        return AccessTokens(control: control, view: view)
    }

    /// Letters, digits, `-` and `_`: what a URL and a WebSocket's list of protocols can carry.
    private static func isToken(_ text: Substring) -> Bool {
        text.utf8.count >= shortest
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    private static func makeFolders(_ path: String) {
        for end in path.indices.dropFirst() where path[end] == "/" { _ = mkdir(String(path[..<end]), 0o700) }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
