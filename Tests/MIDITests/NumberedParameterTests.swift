import MIDI
import Testing

/// RPN and NRPN in the forms in which senders have them.
@Suite struct NumberedParameterTests {
    private final class Channel {
        private var reader = ControllerReader()

        /// Readings of controllers and their values, on channel 2 unless another is given.
        @discardableResult
        func send(_ pairs: (UInt8, UInt8)..., channel: UInt8 = 2) -> [ControllerReading] {
            pairs.flatMap { MIDIMessage(0xB0 + channel - 1, $0.0, $0.1).map { reader.take($0) } ?? [] }
        }
    }

    private let channel = Channel()
    /// NRPN 1234.
    private let number: UInt16 = 9 * 128 + 82

    private func name() { channel.send((99, 9), (98, 82)) }

    @Test func namesAreNoValues() {
        let names = channel.send((99, 9), (98, 82), (101, 0), (100, 1), (101, 127), (100, 127))
        #expect(names.map(\.controller) == [99, 98, 101, 100, 101, 100].map { MIDIController.control($0) })
        #expect(names.allSatisfy { $0.part == .name })
    }

    @Test func sevenBits() {
        name()
        for (value, share) in [(0, 0), (64, 0.5), (127, 1)] as [(UInt8, Float)] {
            let readings = channel.send((6, value))
            #expect(readings.map(\.controller) == [.unregistered(number)])
            #expect(readings[0].share == share && readings[0].channel == 2 && readings[0].part == .value)
            #expect(readings[0].isPressed == (value > 0) && readings[0].isRepeatable == (value == 127))
        }
    }

    /// The number is sent once, or before each value.
    @Test(arguments: [false, true])
    func fourteenBitsUpperHalfFirst(_ isNamedAgain: Bool) {
        name()
        for value in [0, 1, 8192, 8193, 16383] {
            if isNamedAgain { name() }
            let readings = channel.send((6, UInt8(value >> 7)), (38, UInt8(value & 127)))
            #expect(readings.map(\.controller) == [.unregistered(number), .unregistered(number)])
            #expect(readings[1].part == .completion && !readings[1].isRepeatable)
            #expect(abs(readings[1].share - Float(value) / 16383) < 1e-4)
        }
        #expect(channel.send((6, 64), (38, 0))[1].share == 0.5)
        #expect(channel.send((6, 127), (38, 127))[1].share == 1)
    }

    @Test func fourteenBitsLowerHalfFirst() {
        name()
        // The first one has no known upper half.
        #expect(channel.send((38, 5)).map(\.part) == [.beginning])
        #expect(channel.send((6, 64)).map(\.part) == [.completion])
        for value in [16383, 8192, 127, 128, 0] {
            let readings = channel.send((38, UInt8(value & 127)), (6, UInt8(value >> 7)))
            #expect(readings.map(\.part) == [.value, .completion])
            #expect(abs(readings[1].share - Float(value) / 16383) < 1e-4)
            #expect(readings[1].isPressed == (value > 0))
        }
    }

    /// A lower half alone changes a known value; a sender of lower halves only has 7 bits.
    @Test func lowerHalvesAlone() {
        name()
        channel.send((6, 64), (38, 0))
        #expect(channel.send((38, 127))[0].share > 0.5)
        channel.send((99, 0), (98, 3))
        #expect(channel.send((38, 127))[0].part == .beginning)
        #expect(channel.send((38, 127))[0].share == 1)
        #expect(channel.send((38, 64))[0].share == 0.5)
        // The other parameter has its value still.
        name()
        #expect(abs(channel.send((38, 1))[0].share - 8193.0 / 16383) < 1e-4)
    }

    /// Upper halves alone have 7 bits again after those that lower ones followed.
    @Test func upperHalvesAloneAfterPairs() {
        name()
        channel.send((6, 127), (38, 127))
        #expect(channel.send((6, 127))[0].share < 1)
        #expect(channel.send((6, 127))[0].share == 1)
    }

    @Test func steps() throws {
        name()
        let up = channel.send((96, 0))[0]
        #expect(up.controller == .unregistered(number) && up.step == 1.0 / 127 && up.isPressed)
        #expect(channel.send((97, 127))[0].step == -1.0 / 127)
        channel.send((6, 64), (38, 0))
        #expect(channel.send((97, 1))[0].step == -1.0 / 16383)
        #expect(channel.send((97, 1))[0].isPressed == false)
        // Later lower halves belong to what the steps have led to.
        #expect(abs(channel.send((38, 126))[0].share - 8190.0 / 16383) < 1e-4)
    }

    @Test func endsOfANumber() {
        name()
        channel.send((99, 127), (98, 127))
        #expect(channel.send((6, 1), (38, 1), (96, 1)).map(\.controller) == [.control(6), .control(38), .fineControl(6), .control(96)])
        name()
        channel.send((121, 0))
        #expect(channel.send((6, 1)).map(\.controller) == [.control(6)])
        // One half names nothing.
        channel.send((98, 5))
        #expect(channel.send((6, 1)).map(\.controller) == [.control(6)])
        // The null parameter of either kind ends both.
        name()
        channel.send((101, 127), (100, 127))
        #expect(channel.send((6, 1)).map(\.controller) == [.control(6)])
    }

    @Test func kindsAndChannelsAreApart() {
        name()
        channel.send((101, 0), (100, 2))
        #expect(channel.send((6, 1)).map(\.controller) == [.registered(2)])
        // The upper half of the number is still known.
        channel.send((98, 83))
        #expect(channel.send((6, 1)).map(\.controller) == [.unregistered(number + 1)])
        #expect(channel.send((6, 1), channel: 3).map(\.controller) == [.control(6)])
    }

    /// A knob that sends one of the naming controllers is a knob; the other half never comes.
    @Test func ordinaryControllersWithTheseNumbers() {
        for number in UInt8(98)...101 {
            let channel = Channel()
            let readings = channel.send((number, 1), (number, 2), (number, 3))
            #expect(readings.map(\.controller) == Array(repeating: .control(number), count: 3))
            #expect(readings.map(\.part) == [.name, .value, .value])
        }
        // A sender that goes through numbers.
        #expect(channel.send((99, 0), (98, 1), (98, 1), (98, 2)).allSatisfy { $0.part == .name })
    }

    @Test func manyNumbersAreForgotten() {
        for number in 0..<5000 {
            channel.send((99, UInt8(number >> 7)), (98, UInt8(number & 127)), (6, 64))
        }
        channel.send((99, 0), (98, 0))
        #expect(channel.send((38, 1))[0].part == .beginning)
    }
}
