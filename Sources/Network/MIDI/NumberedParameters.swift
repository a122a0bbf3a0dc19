/// Reads parameters that a channel names by number, RPN and NRPN: controllers 98 to 101 name one, 6 and 38 carry the halves of its value in
/// either order, and 96 and 97 step it.
struct NumberedParameters: Sendable {
    /// The controllers that name a parameter: lower and upper half of NRPN, then of RPN.
    static let names: ClosedRange<UInt8> = 98...101
    /// The command that resets a channel's controllers, after which it names none.
    static let reset: UInt8 = 121
    /// The number that names no parameter.
    static let null: UInt16 = 127 << 7 | 127
    /// Values that are remembered; when there are more, all are forgotten.
    private static let most = 4096

    private struct Key: Hashable {
        let controller: MIDIController
        let channel: Int
    }

    /// States of the channels, by channel.
    private var channels = [Channel](repeating: Channel(), count: 16)
    private var values: [Key: NumberedValue] = [:]

    /// - Parameter channel: 1 to 16.
    /// - Returns: nil for an ordinary controller, among them 6, 38, 96 and 97 of a channel that names no parameter.
    mutating func take(_ number: UInt8, _ value: UInt8, channel: Int) -> ControllerReading? {
        let before = channels[channel - 1].newest
        channels[channel - 1].newest = nil
        if Self.names.contains(number) {
            let isAlone = channels[channel - 1].name(number, value)
            channels[channel - 1].newest = number
            // A sender of the same half again and again, without the other one, does not name a parameter.
            let part: ControllerReading.Part = isAlone && before == number ? .value : .name
            return ControllerReading(.control(number), channel: channel, Int(value), bits: 7, part: part)
        }
        guard NumberedValue.controllers.contains(number), let controller = channels[channel - 1].controller else { return nil }
        let key = Key(controller: controller, channel: channel)
        if values[key] == nil, values.count == Self.most { values = [:] }
        return values[key, default: NumberedValue()].take(number, value, of: controller, channel: channel)
    }

    /// Makes a channel name no parameter.
    mutating func forget(_ channel: Int) { channels[channel - 1] = Channel() }

    /// The parameter that a channel names.
    private struct Channel: Sendable {
        /// Halves of the numbers, in the order of their controllers.
        private var halves = [UInt8?](repeating: nil, count: 4)
        private var isRegistered = false
        /// The naming controller that came last, if no other controller came after it.
        var newest: UInt8?

        var controller: MIDIController? {
            let place = isRegistered ? 2 : 0
            guard let lower = halves[place], let upper = halves[place + 1] else { return nil }
            let number = UInt16(upper) << 7 | UInt16(lower)
            return isRegistered ? .registered(number) : .unregistered(number)
        }

        /// - Returns: whether the other half of the number is missing.
        mutating func name(_ number: UInt8, _ value: UInt8) -> Bool {
            let place = Int(number - NumberedParameters.names.lowerBound)
            halves[place] = value
            isRegistered = place >= 2
            let other = halves[place ^ 1]
            if value == 127, other == 127 { self = Channel() }
            return other == nil
        }
    }
}

/// The value of a parameter that is named by number.
private struct NumberedValue: Sendable {
    private enum Half { case upper, lower }

    private static let upper: UInt8 = 6
    private static let lower: UInt8 = 38
    private static let up: UInt8 = 96
    private static let down: UInt8 = 97
    static let controllers: Set<UInt8> = [upper, lower, up, down]

    /// nil until one was received.
    private var upper: UInt8?
    private var lower: UInt8 = 0
    /// Whether the sender sends lower halves.
    private var isFine = false
    /// The half that came last, if the other one has not come yet.
    private var waiting: Half?

    mutating func take(_ number: UInt8, _ value: UInt8, of controller: MIDIController, channel: Int) -> ControllerReading {
        var part = ControllerReading.Part.value
        var step = 0
        switch number {
        case Self.upper:
            if waiting == .lower { part = .completion } else { lower = 0 }
            if waiting == .upper { isFine = false }
            upper = value
            waiting = part == .completion ? nil : .upper
        case Self.lower:
            if waiting == .upper { part = .completion }
            // The upper half may follow, or the sender has lower halves only.
            if upper == nil, waiting == nil { part = .beginning }
            (lower, isFine) = (value, true)
            waiting = part == .completion ? nil : .lower
        default:
            step = number == Self.up ? 1 : -1
            move(step)
            waiting = nil
        }
        return ControllerReading(controller, channel: channel, whole.number, bits: whole.bits, part: part, step: step)
    }

    /// The value, and its number of bits.
    private var whole: (number: Int, bits: Int) {
        guard let upper else { return (Int(lower), 7) }
        return isFine ? (Int(upper) << 7 | Int(lower), 14) : (Int(upper), 7)
    }

    /// Adds to a value that is known.
    private mutating func move(_ step: Int) {
        guard let upper else { return }
        if isFine {
            let moved = min(max((Int(upper) << 7 | Int(lower)) + step, 0), 16383)
            (self.upper, lower) = (UInt8(moved >> 7), UInt8(moved & 127))
        } else {
            self.upper = UInt8(min(max(Int(upper) + step, 0), 127))
        }
    }
}
