import Engine
import Hub
import MIDI
import Parameters
import Testing

/// RPN and NRPN that are learned and move parameters.
@Suite struct NumberedParameterLearningTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
    }

    /// Controllers and their values on channel 2, in turn.
    private func send(_ pairs: (Int32, Int32)..., after seconds: Double = 0.2) {
        for (number, value) in pairs { harness.send("/midi/message", .int(0xB1), .int(number), .int(value), after: seconds) }
    }

    private func learn(_ address: String) { #expect(harness.send("/midi/learn", .string(address)) == .done) }

    private var gain: Float { harness.number("/listener/1/gain") }
    private let range = ListenerParameter.gain.spec.range
    /// NRPN 1234.
    private let name = (upper: (99, 9) as (Int32, Int32), lower: (98, 82) as (Int32, Int32))

    /// Every form of a value is learned as one parameter, moves nothing meanwhile, and moves the parameter through its whole range.
    @Test(arguments: [[6], [6, 38], [38, 6], [38]] as [[Int32]])
    func everyForm(_ order: [Int32]) {
        learn("/listener/1/gain")
        send(name.upper, name.lower)
        #expect(harness.text("/midi/1/mapping").isEmpty)
        for number in order { send((number, 3)) }
        #expect(harness.text("/midi/1/mapping") == "nrpn 1234 channel 2 to /listener/1/gain")
        #expect(harness.text("/midi/2/mapping").isEmpty && harness.text("/midi/learn").isEmpty)
        #expect(gain == 0)
        for (value, wanted) in [(127, range.upperBound), (0, range.lowerBound), (127, range.upperBound)] as [(Int32, Float)] {
            // The number comes again, or does not.
            if wanted > 0 { send(name.upper, name.lower) }
            for number in order { send((number, value)) }
            #expect(gain == wanted)
        }
        harness.tick()
        #expect(harness.text("/midi/moved") == "nrpn 1234 channel 2: 100 %")
        // Another number, the null parameter, another channel.
        send((98, 83), (6, 64), (38, 0), (99, 127), (98, 127), (6, 64), (38, 0))
        harness.send("/midi/message", .int(0xB2), .int(6), .int(64))
        #expect(gain == range.upperBound)
    }

    /// Faders that feel a finger send a note before they move; other keys do not become faders, nor does what was learned before.
    @Test func aTouchedFaderIsLearnedAsAFader() {
        func send(_ messages: [(Int32, Int32, Int32)]) {
            for (status, first, second) in messages {
                harness.send("/midi/message", .int(status), .int(first), .int(second), after: 0.2)
            }
        }
        learn("/listener/1/gain")
        send([(0x90, 104, 127), (0xE0, 0, 60), (0xE0, 0, 64), (0x90, 104, 0)])
        #expect(harness.text("/midi/1/mapping") == "bend channel 1 to /listener/1/gain" && harness.text("/midi/2/mapping").isEmpty)
        let moved = gain
        send([(0x90, 104, 127)])
        #expect(gain == moved)
        send([(0xE0, 127, 127), (0x90, 104, 0)])
        #expect(gain == range.upperBound)
        harness.send("/midi/clear")
        learn("/listener/1/gain")
        send([(0x90, 60, 90), (0xD0, 30, 0), (0x80, 60, 0), (0xB0, 7, 20)])
        #expect(harness.text("/midi/1/mapping").hasPrefix("note 60 channel 1 to /listener/1/gain"))
        learn("/listener/1/mute")
        send([(0x90, 61, 90), (0xB0, 7, 20), (0x80, 61, 0)])
        #expect(harness.text("/midi/2/mapping").hasPrefix("note 61 channel 1 to /listener/1/mute"))
    }

    @Test func registeredNumbersAndOrdinaryControllers() {
        learn("/listener/1/gain")
        send((101, 0), (100, 5), (6, 1))
        #expect(harness.text("/midi/1/mapping") == "rpn 5 channel 2 to /listener/1/gain")
        send((101, 127), (100, 127))
        learn("/listener/1/mute")
        send((6, 1), (38, 1), after: 0.001)
        #expect(harness.text("/midi/2/mapping") == "cc14 6 channel 2 to /listener/1/mute")
        learn("/listener/1/mute")
        send((96, 1))
        #expect(harness.text("/midi/2/mapping") == "cc 96 channel 2 to /listener/1/mute")
        learn("/listener/1/mute")
        send((98, 1), (98, 2))
        #expect(harness.text("/midi/2/mapping") == "cc 98 channel 2 to /listener/1/mute")
        // What sessions have keeps working.
        send((98, 127))
        #expect(harness.number("/listener/1/mute") == 1)
    }

    /// Steps lead on from the parameter's value, whoever has set it.
    @Test func steps() {
        learn("/listener/1/gain")
        send(name.upper, name.lower, (96, 0))
        #expect(harness.text("/midi/1/mapping") == "nrpn 1234 channel 2 to /listener/1/gain" && gain == 0)
        let step = (range.upperBound - range.lowerBound) / 127
        send((96, 0))
        #expect(abs(gain - step) < 1e-3)
        send((97, 0), (97, 0))
        #expect(abs(gain + step) < 1e-3)
        harness.send("/listener/1/gain", .float(-6))
        send((97, 0))
        #expect(abs(gain + 6 + step) < 1e-3)
        // A reversed range with a curve, and its end.
        harness.send("/midi/1/mapping", .string("nrpn 1234 to /listener/1/gain output 1 0 curve 0.5"))
        harness.send("/listener/1/gain", .float(-6))
        send((97, 0))
        #expect(gain > -6 && gain < -5)
        for _ in 0..<200 { send((97, 0), after: 0.001) }
        #expect(gain == range.upperBound)
        harness.tick()
        #expect(harness.text("/midi/moved") == "nrpn 1234 channel 2: down")
        // Choices change at once.
        harness.send("/midi/1/mapping", .string("nrpn 1234 to /listener/1/method"))
        harness.send("/listener/1/method", .int(1))
        send((96, 0))
        #expect(harness.number("/listener/1/method") == 2)
    }

    /// The presses of `/listener/1/recenter` by these controllers.
    private func presses(_ body: () -> Void) -> Int {
        var count = 0
        harness.engine.hub.onSet(harness.engine.tree.index(ListenerParameter.recenter)) { _, _ in count += 1 }
        harness.send("/midi/1/mapping", .string("nrpn 1234 to /listener/1/recenter"))
        send(name.upper, name.lower)
        body()
        return count
    }

    /// A button acts once at each press and never at its release, in every form of its values.
    @Test(arguments: [[6], [6, 38], [38, 6]] as [[Int32]], [1, 127] as [Int32])
    func aButtonActsOnce(_ order: [Int32], _ on: Int32) {
        // The first value of a sender of lower halves first makes its form known.
        let count = presses {
            for _ in 0..<3 {
                for value in [0, on] { for number in order { send((number, value), after: 0.01) } }
            }
            for number in order { send((number, 0)) }
        }
        #expect(count == 3)
    }

    /// A fader acts once on its way up from 0, also where one half of its value is 0.
    @Test func aFaderActsOnce() {
        for order in [[6, 38], [38, 6]] as [[Int32]] {
            let count = presses {
                for value in Array(0...300) + (1...300).reversed() as [Int32] {
                    for number in order { send((number, number == 6 ? value >> 7 : value & 127), after: 0.001) }
                }
            }
            #expect(count == 1, "\(order)")
        }
    }

    @Test func stepsTriggerActions() {
        #expect(presses { send((96, 0), (97, 0), (96, 0), (96, 0)) } == 3)
    }

    @Test func sessionsKeepThem() {
        harness.send("/midi/3/mapping", .string("nrpn 1234 channel 4 to /listener/1/gain curve -0.5"))
        #expect(harness.send("/session/save-as", .string("stage")) == .done)
        harness.send("/midi/clear")
        #expect(harness.send("/session/load", .string("stage")) == .done)
        #expect(harness.text("/midi/3/mapping") == "nrpn 1234 channel 4 to /listener/1/gain curve -0.5")
    }
}
