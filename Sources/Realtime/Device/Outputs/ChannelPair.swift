/// Two channels of a device, counted from 1, that a listener's left and right ear are played on.
public struct ChannelPair: Equatable, Hashable, Sendable, CustomStringConvertible {
    public let left: Int
    public let right: Int

    /// Highest number of channels that a device is opened with.
    public static let mostChannels = 128

    init(left: Int, right: Int) {
        self.left = left
        self.right = right
    }

    /// Parses two numbers with a comma, such as `3,4`.
    /// - Throws: ``DeviceError`` that states the notation.
    public init(_ text: String) throws(DeviceError) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0.drop { $0 == " " }) }
        guard numbers.count == 2, let left = numbers[0], let right = numbers[1], left != right,
            [left, right].allSatisfy((1...Self.mostChannels).contains)
        else {
            throw DeviceError(
                "\"\(text)\" is not a pair of channels: give two different numbers from 1 to \(Self.mostChannels) with a comma, as in 3,4.")
        }
        self.init(left: left, right: right)
    }

    public var description: String { "\(left),\(right)" }

    var highest: Int { max(left, right) }

    /// Whether a channel is in both pairs.
    public func overlaps(_ other: Self) -> Bool { [other.left, other.right].contains { $0 == left || $0 == right } }
}
