/// Files of one kind that may come from outside: where they go, and when they are accepted.
public struct AcceptedFiles: Sendable {
    /// Name of the kind, in lower case.
    public let name: String
    /// Made when the first file comes.
    public let folder: String
    /// Endings of the names, without the dot, in lower case.
    public let endings: [String]
    /// Largest size in bytes.
    public let most: Int
    /// Throws the reason why the program cannot read the file at a path.
    public let check: @Sendable (_ path: String) throws -> Void

    public init(
        _ name: String, folder: String, endings: [String], most: Int, check: @escaping @Sendable (_ path: String) throws -> Void
    ) {
        self.name = name
        self.folder = folder
        self.endings = endings
        self.most = most
        self.check = check
    }

    /// Maximum number of bytes in a name.
    public static let longestName = 200

    /// - Returns: the reason to refuse a file name; nil for one that is accepted.
    public func problem(_ name: String) -> String? {
        if let problem = Self.problem(part: name) { return problem }
        let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        guard endings.contains(ending) else { return "\(self.name) end in .\(endings.joined(separator: ", ."))" }
        return nil
    }

    /// - Returns: the reason to refuse a part of a path, whatever its ending; nil for one that is accepted.
    public static func problem(part name: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= longestName else { return "a name has 1 to \(longestName) bytes" }
        // Bytes are compared: a slash and a combining mark after it are one character.
        guard !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }), name.utf8.first != UInt8(ascii: ".")
        else {
            return "a name has no slashes and does not begin with a dot"
        }
        // U+FFFD stands for bytes that are not UTF-8.
        let isPrintable = name.unicodeScalars.allSatisfy { $0.value >= 32 && !(127..<160).contains($0.value) && $0.value != 0xFFFD }
        guard isPrintable, name.first != " ", name.last != " " else {
            return "a name is UTF-8 without control characters, and has no spaces around it"
        }
        guard FileName.isReadable(name) else {
            return "each part of a name has a visible character, and none changes the direction of writing"
        }
        guard ("/" + name).first == "/", (name + "/").last == "/" else { return "a name begins and ends with a whole character" }
        return nil
    }
}

/// Names of files that people can read.
public enum FileName {
    /// Whether every part of a path has more than blanks, and no character that reorders the text around it: with U+202E, a name that ends
    /// in "nosj.exe" is shown with another ending.
    public static func isReadable(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return !path.unicodeScalars.contains(where: isDirection)
            && parts.allSatisfy { part in part.unicodeScalars.contains { !$0.properties.isWhitespace && !isInvisible($0) } }
    }

    /// Embeddings, overrides, isolates and marks of the Unicode bidirectional algorithm (UAX 9).
    private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Spaces and joiners without width.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200B...0x200D, 0x2060, 0xFEFF, 0x3164, 0x2800: true
        default: false
        }
    }
}
