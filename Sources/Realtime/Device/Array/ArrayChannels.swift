internal import Binaural

/// Channels of a device that the microphones of a live array are on, counted from 1, in the order of the microphones: `1,2,5-18`.
public struct ArrayChannels: Equatable, Sendable, CustomStringConvertible {
    public let numbers: [Int]

    /// Numbers of microphones that an array may have, and the highest channel of a device.
    public static let counts = 4...MicrophoneArray.capacity
    public static let highest = 1024

    /// Parses numbers and ranges separated by commas.
    /// - Throws: ``DeviceError`` that names the wrong part and states the notation.
    public init(_ text: String) throws(DeviceError) {
        var numbers: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.range(String(part)) else {
                throw DeviceError("\"\(part)\" in \"\(text)\" is neither a channel nor a range of channels. \(Self.notation)")
            }
            numbers += range
            guard numbers.count <= Self.highest else { break }
        }
        self = try Self(numbers)
    }

    /// - Throws: ``DeviceError`` when a channel is named twice or out of range, or there are too few or too many of them.
    public init(_ numbers: [Int]) throws(DeviceError) {
        if let wrong = numbers.first(where: { !(1...Self.highest).contains($0) }) {
            throw DeviceError("There is no channel \(wrong). \(Self.notation)")
        }
        if let twice = numbers.indices.first(where: { numbers[..<$0].contains(numbers[$0]) }) {
            throw DeviceError("Channel \(numbers[twice]) is named twice. \(Self.notation)")
        }
        guard Self.counts.contains(numbers.count) else {
            throw DeviceError(
                "An array has \(Self.counts.lowerBound) to \(Self.counts.upperBound) microphones, not \(numbers.count). \(Self.notation)")
        }
        self.numbers = numbers
    }

    public var description: String { numbers.map(String.init).joined(separator: ",") }

    private static let notation =
        "Give each microphone a channel of its own, from 1 to \(highest), 4 to 64 in all, as in 1,2,5-18."

    private static func range(_ text: String) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0.drop { $0 == " " }) }
        switch ends.count {
        case 1: return ends[0].map { $0...$0 }
        case 2:
            guard let first = ends[0], let last = ends[1], first <= last, last - first < highest else { return nil }
            return first...last
        default: return nil
        }
    }
}
