internal import Glibc

/// Numbers as text, as sent by boards on serial lines.
extension TrackerForm {
    /// Maximum length of a number's text in bytes.
    private static let longest = 32

    /// Reads the numbers of a line, separated by any text.
    /// - Returns: nil when there are not exactly `count`.
    static func line(_ bytes: UnsafeRawBufferPointer, count: Int) -> [Double]? {
        var numbers: [Double] = []
        var at = 0
        while at < bytes.count {
            guard isOfNumber(bytes[at]) else {
                at += 1
                continue
            }
            var end = at
            while end < bytes.count, end - at < longest, isOfNumber(bytes[end]) || isExponent(bytes, end, from: at) { end += 1 }
            // A digit or hyphen within a word, as in "BNO-55", does not begin a number.
            guard let number = Double(String(decoding: bytes[at..<end], as: UTF8.self)), numbers.count < count else { return nil }
            numbers.append(number)
            at = end
        }
        return numbers.count == count ? numbers : nil
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): true
        default: false
        }
    }

    /// Returns whether an e belongs to a number: after a digit and before a digit or sign.
    private static func isExponent(_ bytes: UnsafeRawBufferPointer, _ at: Int, from start: Int) -> Bool {
        guard bytes[at] | 0x20 == UInt8(ascii: "e"), at > start, at + 1 < bytes.count else { return false }
        return isOfNumber(bytes[at + 1])
    }

    /// Reads three numbers of 6 characters, each beginning with a sign or a space.
    static func eighteen(_ bytes: UnsafeRawBufferPointer) -> [Double]? {
        guard bytes.count == 18 else { return nil }
        let numbers = (0..<3).compactMap { index -> Double? in
            let field = bytes[(6 * index)..<(6 * index + 6)]
            guard let first = field.first, [UInt8(ascii: "+"), UInt8(ascii: "-"), 0x20].contains(first) else { return nil }
            let text = field.drop { $0 == 0x20 }
            guard text.allSatisfy(isOfNumber) else { return nil }
            return Double(String(decoding: text, as: UTF8.self))
        }
        return numbers.count == 3 ? numbers : nil
    }

    static func text(_ number: Double) -> String {
        let rounded = (number * 100_000).rounded() / 100_000
        return "\(rounded == 0 ? 0 : rounded)"
    }

    /// Formats a number as a sign and five characters: "-123.4", "+012.3".
    static func six(_ number: Double) -> String {
        let tenths = Int(clamping: (min(abs(number), 999.9) * 10).rounded())
        let digits = String(tenths / 10)
        return (number < 0 ? "-" : "+") + String(repeating: "0", count: 3 - digits.count) + digits + ".\(tenths % 10)"
    }
}
