import MIDI
import Testing

/// Positions of controllers, and pairs of 14 bits.
@Suite struct ControllerReaderTests {
    private func read(_ reader: inout ControllerReader, _ status: UInt8, _ first: UInt8, _ second: UInt8 = 0) throws -> [ControllerReading]
    {
        reader.take(try #require(MIDIMessage(status, first, second)))
    }

    @Test func endsAndMiddleAreExact() throws {
        var reader = ControllerReader()
        for (number, share) in [(0, 0), (32, 0.25), (64, 0.5), (127, 1)] as [(UInt8, Float)] {
            let readings = try read(&reader, 0xB2, 11, number)
            #expect(readings.map(\.controller) == [.control(11)])
            #expect(readings[0].channel == 3)
            #expect(readings[0].share == share)
            #expect(readings[0].isPressed == (number >= 64))
        }
        for (low, high, share) in [(0, 0, 0), (0, 64, 0.5), (127, 127, 1)] as [(UInt8, UInt8, Float)] {
            let readings = try read(&reader, 0xE0, low, high)
            #expect(readings.map(\.controller) == [.bend])
            #expect(readings[0].share == share)
        }
        #expect(try read(&reader, 0xD0, 127)[0].share == 1)
    }

    /// Each of the 16384 numbers has a position of its own, in order.
    @Test func pairsOfControllers() throws {
        var reader = ControllerReader()
        var last: Float = -1
        for number in stride(from: 0, to: 16384, by: 1) {
            let (upper, lower) = (UInt8(number >> 7), UInt8(number & 0x7F))
            #expect(try read(&reader, 0xB0, 1, upper).map(\.controller) == [.control(1)])
            let readings = try read(&reader, 0xB0, 33, lower)
            #expect(readings.map(\.controller) == [.control(33), .fineControl(1)])
            #expect(readings[1].share > last)
            last = readings[1].share
        }
        #expect(last == 1)
    }

    /// The upper half of a pair is not a switch; a controller whose lower half does not follow is.
    @Test func switchesThatRepeat() throws {
        var reader = ControllerReader()
        #expect(try read(&reader, 0xB0, 1, 127)[0].isRepeatable && !read(&reader, 0xB0, 1, 126)[0].isRepeatable)
        #expect(try read(&reader, 0xB0, 64, 127)[0].isRepeatable && read(&reader, 0x90, 60, 5)[0].isRepeatable)
        #expect(try !read(&reader, 0xE0, 127, 127)[0].isRepeatable && !read(&reader, 0xD0, 127)[0].isRepeatable)
        _ = try (read(&reader, 0xB0, 1, 127), read(&reader, 0xB0, 33, 127))
        #expect(try !read(&reader, 0xB0, 1, 127)[0].isRepeatable)
        #expect(try read(&reader, 0xB0, 1, 127)[0].isRepeatable)
    }

    @Test func pairsOfOtherChannelsAreApart() throws {
        var reader = ControllerReader()
        _ = try read(&reader, 0xB0, 1, 127)
        _ = try read(&reader, 0xB1, 1, 0)
        #expect(try read(&reader, 0xB0, 33, 127)[1].share == 1)
        #expect(try read(&reader, 0xB1, 33, 0)[1].share == 0)
    }

    @Test func notes() throws {
        var reader = ControllerReader()
        #expect(try read(&reader, 0x90, 60, 1)[0].isPressed)
        #expect(try read(&reader, 0x90, 60, 127)[0].share == 1)
        for off in [try read(&reader, 0x90, 60, 0)[0], try read(&reader, 0x80, 60, 100)[0]] {
            #expect(off.controller == .note(60))
            #expect(!off.isPressed)
            #expect(off.share == 0)
        }
    }

    @Test func commandsToSynthesizersAreNoControllers() throws {
        var reader = ControllerReader()
        for number in UInt8(120)...127 { #expect(try read(&reader, 0xB0, number, 0).isEmpty) }
        #expect(try read(&reader, 0xC0, 5).isEmpty)
        #expect(try read(&reader, 0xA0, 60, 5).isEmpty)
    }
}
