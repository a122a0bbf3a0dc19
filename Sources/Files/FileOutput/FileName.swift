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
