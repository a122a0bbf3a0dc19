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

/// One part of an address pattern, between two slashes, and the name that it is compared with.
///
/// Keeps all places of the name that the pattern can have reached, as the bits of a word: bit i is set when the pattern so far matches the
/// first i bytes. Each character of the pattern moves all of them at once.
struct PatternPart {
    typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// Bytes of a name that a pattern can match: the places are the bits of a word.
    private static let longestName = 63

    static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "{"): true
        default: false
        }
    }

    static func matches(_ pattern: Bytes, _ name: Bytes) -> Bool {
        guard pattern.contains(where: isSpecial) else { return pattern.elementsEqual(name) }
        guard name.count <= longestName else { return false }
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 256) { places in
            places.initialize(repeating: 0)
            for (place, byte) in name.enumerated() { places[Int(byte)] |= 1 << UInt64(place) }
            var part = Self(rest: pattern, places: places, end: 1 << UInt64(name.count))
            return part.run()
        }
    }

    private var rest: Bytes
    /// Places of each byte in the name.
    private let places: UnsafeMutableBufferPointer<UInt64>
    /// The bit after the name's last byte.
    private let end: UInt64
    private var reached: UInt64 = 1

    private init(rest: Bytes, places: UnsafeMutableBufferPointer<UInt64>, end: UInt64) {
        (self.rest, self.places, self.end) = (rest, places, end)
    }

    private mutating func run() -> Bool {
        while reached != 0, let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"): reached = (end | (end - 1)) & ~((reached & (~reached &+ 1)) - 1)
            case UInt8(ascii: "?"): reached = (reached & (end - 1)) << 1
            case UInt8(ascii: "["): reached = (reached & set()) << 1
            case UInt8(ascii: "{"): reached = alternatives()
            default: reached = (reached & places[Int(byte)]) << 1
            }
        }
        return reached & end != 0
    }

    /// Reads `a-z]` or `!abc]`. Returns the places of the bytes in it; none when it is not closed.
    private mutating func set() -> UInt64 {
        guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return 0 }
        var members = rest[..<close]
        rest = rest[(close + 1)...]
        let isInverted = members.first == UInt8(ascii: "!")
        if isInverted { members = members.dropFirst() }
        var found: UInt64 = 0
        while let first = members.popFirst() {
            guard members.first == UInt8(ascii: "-") else {
                found |= places[Int(first)]
                continue
            }
            members = members.dropFirst()
            // Without an upper end, every byte from the lower end on.
            let last = members.popFirst() ?? .max
            if first <= last { for byte in first...last { found |= places[Int(byte)] } }
        }
        return isInverted ? (end - 1) & ~found : found
    }

    /// Reads `this,that}`. Returns the places after each of the words; none when it is not closed.
    private mutating func alternatives() -> UInt64 {
        guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { return 0 }
        var (found, word): (UInt64, UInt64) = (0, reached)
        for byte in rest[..<close] {
            if byte == UInt8(ascii: ",") {
                found |= word
                word = reached
            } else {
                word = (word & places[Int(byte)]) << 1
            }
        }
        rest = rest[(close + 1)...]
        return found | word
    }
}
