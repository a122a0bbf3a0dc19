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
