internal import Crossing

/// The pair of a device's channels that each wired listener is played on. Set on the control thread, read by the device's.
///
/// No two listeners share a channel.
public final class OutputRoutes: Sendable {
    public let listeners: Int
    private let codes: TargetRow

    /// The first listener on channels 1 and 2.
    ///
    /// - Parameter listeners: number of listeners that a device can play.
    public init(listeners: Int) {
        self.listeners = listeners
        codes = TargetRow((0..<listeners).map { $0 == 0 ? Self.code(Self.standard) : 0 })
    }

    /// - Parameters:
    ///   - pairs: pairs by listener, counted from 0; the first listener is on channels 1 and 2 unless these say otherwise.
    /// - Throws: ``DeviceError`` for a listener that does not exist and for pairs with a common channel.
    public convenience init(listeners: Int, _ pairs: [Int: ChannelPair]) throws(DeviceError) {
        self.init(listeners: listeners)
        if pairs.contains(where: { $0.key == 0 || $0.value.overlaps(Self.standard) }) { codes[0] = 0 }
        for (listener, pair) in pairs.sorted(by: { $0.key < $1.key }) {
            guard (0..<listeners).contains(listener) else {
                throw DeviceError(
                    "There is no listener \(listener + 1) to play on channels \(pair): the listeners are 1 to \(listeners). "
                        + "Start the engine with more --listeners.")
            }
            try set(listener, pair, channels: ChannelPair.mostChannels)
        }
    }

    private static var standard: ChannelPair { ChannelPair(left: 1, right: 2) }

    /// Number of channels that a device needs for the current pairs, at least two.
    public var channels: Int { (0..<listeners).reduce(2) { max($0, self[$1]?.highest ?? 0) } }

    /// The channels of a listener, counted from 0; nil when it is not played.
    public subscript(listener: Int) -> ChannelPair? { Self.pair(codes[listener]) }

    /// Plays a listener on a pair, or nowhere.
    ///
    /// - Parameter channels: number of channels of the device.
    /// - Throws: ``DeviceError`` that states which pairs are free.
    public func set(_ listener: Int, _ pair: ChannelPair?, channels: Int) throws(DeviceError) {
        if let pair { try check(pair, for: listener, channels: channels) }
        codes[listener] = pair.map(Self.code) ?? 0
    }

    private func check(_ pair: ChannelPair, for listener: Int, channels: Int) throws(DeviceError) {
        guard pair.highest <= channels else {
            throw DeviceError("Channels \(pair) do not exist: the device has \(channels). \(free(channels, for: listener))")
        }
        if let other = holder(of: pair, except: listener) {
            throw DeviceError(
                "Channels \(pair) are not free: listener \(other + 1) is played on \(self[other]!). \(free(channels, for: listener))")
        }
    }

    private func holder(of pair: ChannelPair, except listener: Int) -> Int? {
        (0..<listeners).first { $0 != listener && self[$0]?.overlaps(pair) == true }
    }

    private func free(_ channels: Int, for listener: Int) -> String {
        let pairs = stride(from: 1, to: channels, by: 2).map { ChannelPair(left: $0, right: $0 + 1) }
            .filter { holder(of: $0, except: listener) == nil }
        guard let first = pairs.first else { return "No pair is free." }
        return "Free: "
            + (pairs.count > 4 ? "\(first) and \(pairs.count - 1) more pairs." : pairs.map(\.description).joined(separator: "; ") + ".")
    }

    // MARK: The device's thread

    /// The codes of all listeners' pairs, valid while the routes exist.
    var view: TargetRow.View { codes.view }

    /// A pair as a number; 0 for none. Exact, since both channels are below 1024.
    private static func code(_ pair: ChannelPair) -> Float { Float(1024 * pair.left + pair.right) }

    static func pair(_ code: Float) -> ChannelPair? {
        let number = Int(clamping: code)
        return number == 0 ? nil : ChannelPair(left: number / 1024, right: number % 1024)
    }
}

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
