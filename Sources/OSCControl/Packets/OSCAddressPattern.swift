internal import CLiblo

/// OSC address patterns: `?`, `*`, `[a-z]`, `[!a]` and `{this,that}`. None of them matches a slash.
public enum OSCAddressPattern {
    /// Parts with more asterisks than this match nothing, because liblo's matcher tries every split of the name.
    private static let maximumAsterisks = 4
    private static let maximumLength = 1024

    /// Returns whether a pattern matches an address. Intended for ``Hub/Hub/init(store:matches:)``.
    public static func matches(_ pattern: String, _ address: String) -> Bool {
        let (patternCount, addressCount) = (pattern.utf8.count, address.utf8.count)
        guard patternCount <= maximumLength, addressCount <= maximumLength, agree(pattern, address) else { return false }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: patternCount + addressCount + 2) { memory in
            let patternMemory = UnsafeMutableBufferPointer(rebasing: memory[...patternCount])
            let addressMemory = UnsafeMutableBufferPointer(rebasing: memory[(patternCount + 1)...])
            return split(pattern, patternMemory) == split(address, addressMemory)
                && matchParts(patternMemory, addressMemory)
        }
    }

    /// Returns whether an address starts with the part of a pattern before its first wildcard. Rejects most addresses early.
    private static func agree(_ pattern: String, _ address: String) -> Bool {
        for (wanted, found) in zip(pattern.utf8, address.utf8) {
            switch wanted {
            case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\\"): return true
            default: if wanted != found { return false }
            }
        }
        return true
    }

    /// Copies a string, replacing each slash by a zero. Returns the number of slashes, or an impossible number
    /// when the string contains a zero.
    private static func split(_ text: String, _ memory: UnsafeMutableBufferPointer<CChar>) -> Int {
        var slashes = 0
        for (i, byte) in text.utf8.enumerated() {
            if byte == 0 { return -1 }
            if byte == UInt8(ascii: "/") { slashes += 1 }
            memory[i] = byte == UInt8(ascii: "/") ? 0 : CChar(bitPattern: byte)
        }
        memory[memory.count - 1] = 0
        return slashes
    }

    /// Compares part by part; both must have the same number of parts.
    private static func matchParts(
        _ pattern: UnsafeMutableBufferPointer<CChar>, _ address: UnsafeMutableBufferPointer<CChar>
    ) -> Bool {
        var (p, a) = (0, 0)
        while p < pattern.count, a < address.count {
            let patternEnd = pattern[p...].firstIndex(of: 0) ?? pattern.count
            let addressEnd = address[a...].firstIndex(of: 0) ?? address.count
            guard pattern[p..<patternEnd].count(where: { $0 == CChar(UInt8(ascii: "*")) }) <= maximumAsterisks,
                lo_pattern_match(address.baseAddress! + a, pattern.baseAddress! + p) != 0
            else { return false }
            (p, a) = (patternEnd + 1, addressEnd + 1)
        }
        return true
    }
}
