/// OSC address patterns: `?`, `*`, `[a-z]`, `[!a]` and `{this,that}`. None of them matches a slash.
///
/// The work is proportional to the length of the pattern and of the address, whatever the pattern contains.
public enum OSCAddressPattern {
    private static let maximumLength = 1024

    /// Returns whether a pattern matches an address. Intended for ``Hub/Hub/init(store:matches:)``.
    public static func matches(_ pattern: String, _ address: String) -> Bool {
        guard pattern.utf8.count <= maximumLength, address.utf8.count <= maximumLength else { return false }
        var (pattern, address) = (pattern, address)
        return pattern.withUTF8 { pattern in address.withUTF8 { agree(pattern, $0) && matchParts(pattern, $0) } }
    }

    /// Returns whether an address starts with the part of a pattern before its first wildcard. Rejects most addresses early.
    private static func agree(_ pattern: UnsafeBufferPointer<UInt8>, _ address: UnsafeBufferPointer<UInt8>) -> Bool {
        for (wanted, found) in zip(pattern, address) {
            if PatternPart.isSpecial(wanted) { return true }
            if wanted != found { return false }
        }
        return true
    }

    /// Compares part by part; both must have the same number of parts.
    private static func matchParts(_ pattern: UnsafeBufferPointer<UInt8>, _ address: UnsafeBufferPointer<UInt8>) -> Bool {
        var (rest, names) = (pattern[...], address[...])
        while true {
            let (part, name) = (rest.prefix { $0 != UInt8(ascii: "/") }, names.prefix { $0 != UInt8(ascii: "/") })
            guard PatternPart.matches(part, name) else { return false }
            let isLast = (part.endIndex == rest.endIndex, name.endIndex == names.endIndex)
            if isLast.0 || isLast.1 { return isLast.0 && isLast.1 }
            (rest, names) = (rest[(part.endIndex + 1)...], names[(name.endIndex + 1)...])
        }
    }
}
