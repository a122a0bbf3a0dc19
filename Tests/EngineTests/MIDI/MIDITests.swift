import Engine
import Foundation
import Hub
import MIDI
import Parameters
import Testing

/// MIDI messages that move parameters, learn mappings and load presets.
@Suite struct MIDITests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder)
    }

    /// A message from a client.
    @discardableResult
    private func midi(_ bytes: Int32..., after seconds: Double = 1) -> Reply {
        let bytes = bytes + Array(repeating: 0, count: 3 - bytes.count)
        return harness.send("/midi/message", .int(bytes[0]), .int(bytes[1]), .int(bytes[2]), after: seconds)
    }

    @Test func aControllerMovesAParameter() {
        #expect(harness.send("/midi/1/mapping", .string("cc 7 channel 2 to /listener/1/gain output 0.5 1")) == .done)
        let range = ListenerParameter.gain.spec.range
        let middle = 0.5 * (range.lowerBound + range.upperBound)
        #expect(midi(0xB1, 7, 0) == .done)
        #expect(harness.number("/listener/1/gain") == middle)
        midi(0xB1, 7, 127)
        #expect(harness.number("/listener/1/gain") == range.upperBound)
        // Another channel, another controller.
        midi(0xB0, 7, 0)
        midi(0xB1, 8, 0)
        #expect(harness.number("/listener/1/gain") == range.upperBound)
    }

    @Test func aDeviceMovesIt() throws {
        harness.send("/midi/1/mapping", .string("bend to /listener/1/gain"))
        harness.engine.controllers.midi.take(try #require(MIDIMessage(0xE0, 127, 127)), time: harness.clock)
        #expect(harness.number("/listener/1/gain") == ListenerParameter.gain.spec.range.upperBound)
        harness.tick()
        #expect(harness.text("/midi/moved") == "bend channel 1: 100 %")
    }

    @Test func learning() {
        #expect(harness.send("/midi/learn", .string("/listener/1/gain")) == .done)
        let before = harness.number("/listener/1/gain")
        // Key releases and commands do not count; the first movement is not applied.
        midi(0x80, 60, 64)
        midi(0xB0, 123, 0)
        #expect(harness.text("/midi/1/mapping").isEmpty)
        midi(0xB4, 20, 3)
        #expect(harness.text("/midi/1/mapping") == "cc 20 channel 5 to /listener/1/gain")
        #expect(harness.text("/midi/learn").isEmpty)
        #expect(harness.number("/listener/1/gain") == before)
        midi(0xB4, 20, 0)
        #expect(harness.number("/listener/1/gain") == ListenerParameter.gain.spec.range.lowerBound)
        // A parameter that is learned again keeps its place, range and curve.
        harness.send("/midi/1/mapping", .string("cc 20 channel 5 to /listener/1/gain output 0.25 0.75 curve 0.5"))
        harness.send("/midi/learn", .string("/listener/1/gain"))
        midi(0x95, 40, 100)
        #expect(harness.text("/midi/1/mapping") == "note 40 channel 6 to /listener/1/gain output 0.25 0.75 curve 0.5")
        #expect(harness.text("/midi/2/mapping").isEmpty)
    }

    /// A controller that sends its lower half at once is learned with 14 bits; one that another message follows is not.
    @Test func learningOf14Bits() {
        harness.send("/midi/learn", .string("/listener/1/gain"))
        midi(0xB0, 1, 64)
        midi(0xB0, 33, 5, after: 0.001)
        #expect(harness.text("/midi/1/mapping") == "cc14 1 channel 1 to /listener/1/gain")
        harness.send("/midi/learn", .string("/listener/1/mute"))
        midi(0xB0, 2, 64)
        midi(0xB0, 2, 65)
        midi(0xB0, 34, 5)
        #expect(harness.text("/midi/2/mapping") == "cc 2 channel 1 to /listener/1/mute")
    }

    @Test func switches() {
        harness.send("/midi/1/mapping", .string("note 60 to /listener/1/mute"))
        midi(0x90, 60, 1)
        #expect(harness.number("/listener/1/mute") == 1)
        midi(0x80, 60, 0)
        #expect(harness.number("/listener/1/mute") == 0)
        harness.send("/midi/1/mapping", .string("cc 64 to /listener/1/mute toggle"))
        for expected in [1, 0, 1] as [Float] {
            midi(0xB0, 64, 127)
            #expect(harness.number("/listener/1/mute") == expected)
            midi(0xB0, 64, 0)
            #expect(harness.number("/listener/1/mute") == expected)
        }
        // A number goes from one end of its range to the other.
        harness.send("/midi/1/mapping", .string("note 61 to /listener/1/gain output 0 1 toggle"))
        let range = ListenerParameter.gain.spec.range
        let isNearerToLow = -range.lowerBound <= range.upperBound
        midi(0x90, 61, 100)
        #expect(harness.number("/listener/1/gain") == (isNearerToLow ? range.upperBound : range.lowerBound))
        midi(0x90, 61, 0)
        midi(0x90, 61, 100)
        #expect(harness.number("/listener/1/gain") == (isNearerToLow ? range.lowerBound : range.upperBound))
    }

    /// A button triggers a command once for each press.
    @Test func commands() {
        harness.send("/midi/2/mapping", .string("cc 1 to /session/undo"))
        harness.send("/listener/1/gain", .float(-10))
        harness.send("/listener/1/gain", .float(-20))
        midi(0xB0, 1, 127)
        midi(0xB0, 1, 126)
        #expect(harness.number("/listener/1/gain") == -10)
        midi(0xB0, 1, 0)
        midi(0xB0, 1, 127)
        #expect(harness.number("/listener/1/gain") == 0)
    }

    /// The presses of `/listener/1/recenter` from now on.
    private func presses(of mapping: String, _ body: () -> Void) -> Int {
        var count = 0
        harness.engine.hub.onSet(harness.engine.tree.index(ListenerParameter.recenter)) { _, _ in count += 1 }
        harness.send("/midi/1/mapping", .string("\(mapping) to /listener/1/recenter"))
        body()
        return count
    }

    /// A switch that sends 127 at each press, and nothing at its release, acts at each press.
    @Test func aSwitchWithoutReleases() {
        #expect(presses(of: "cc 64") { for _ in 0..<3 { midi(0xB0, 64, 127, after: 0.2) } } == 3)
        #expect(presses(of: "note 60") { for velocity in [100, 1, 127] as [Int32] { midi(0x90, 60, velocity, after: 0.2) } } == 3)
        // What a controller repeats by itself is faster.
        #expect(presses(of: "cc 64") { for _ in 0..<30 { midi(0xB0, 64, 127, after: 0.05) } } == 1)
        harness.send("/midi/1/mapping", .string("cc 64 to /listener/1/mute toggle"))
        for expected in [1, 0, 1] as [Float] {
            midi(0xB0, 64, 127)
            #expect(harness.number("/listener/1/mute") == expected)
        }
    }

    /// A fader acts once on its way up, however slowly it moves in its upper half.
    @Test func aFaderActsOnce() {
        let way = [0, 30, 63, 64, 64, 90, 90, 126, 127, 126, 127, 90, 64] as [Int32]
        #expect(presses(of: "cc 7") { for value in way { midi(0xB0, 7, value) } } == 1)
        #expect(presses(of: "cc 7") { for value in way + way { midi(0xB0, 7, value) } } == 2)
        #expect(presses(of: "bend") { for value in way + [127, 127] { midi(0xE0, value == 127 ? 127 : 0, value) } } == 1)
        for controller in ["cc14 1", "cc 1"] {
            let count = presses(of: controller) {
                for value in stride(from: 0, through: 16383, by: 97) + [16383, 16383, 16382, 16383] {
                    midi(0xB0, 1, Int32(value >> 7))
                    midi(0xB0, 33, Int32(value & 127), after: 0.001)
                }
            }
            #expect(count == 1, "\(controller)")
        }
    }

    /// The numbers of the cues that are played from now on.
    private func playedCues() -> SentMessages {
        let played = SentMessages()
        harness.engine.hub.onSet(harness.engine.tree.index(CueParameter.play)) { value, _ in
            played.texts.append("\(Int(value.numbers[0]))")
        }
        return played
    }

    /// Cues can only be played: a key plays one at every press and none at its release; a knob plays each that it reaches.
    @Test func whatCanOnlyBeWrittenActsOnPresses() {
        let played = playedCues()
        harness.send("/midi/1/mapping", .string("note 60 to /cue/play output 0.5 0.5"))
        for _ in 0..<3 {
            midi(0x90, 60, 100)
            midi(0x80, 60, 0)
        }
        #expect(played.texts == ["2", "2", "2"])
        played.texts = []
        harness.send("/midi/2/mapping", .string("note 61 to /cue/play"))
        midi(0x90, 61, 127)
        midi(0x90, 61, 0)
        #expect(played.texts == ["4"])
        played.texts = []
        harness.send("/midi/3/mapping", .string("cc 1 to /cue/play"))
        for value in [0, 2, 60, 64, 127, 127] as [Int32] { midi(0xB0, 1, value) }
        #expect(played.texts == ["0", "2", "4"])
        played.texts = []
        // A button that stands for one cue.
        harness.send("/midi/4/mapping", .string("cc 2 to /cue/play output 0.25 0.25"))
        for value in [127, 0, 127, 0] as [Int32] { midi(0xB0, 2, value) }
        #expect(played.texts == ["1", "1"])
    }

    /// A key learns the one value that was named, and keys of other values keep their places.
    @Test func aKeyLearnsOneCue() {
        let played = playedCues()
        for (key, position) in [(60, 0.25), (62, 0.75)] as [(Int32, Float)] {
            #expect(harness.send("/midi/learn", .string("/cue/play"), .float(position)) == .done)
            midi(0x90, key, 1)
            midi(0x80, key, 0)
        }
        #expect(harness.text("/midi/1/mapping") == "note 60 channel 1 to /cue/play output 0.25 0.25")
        #expect(harness.text("/midi/2/mapping") == "note 62 channel 1 to /cue/play output 0.75 0.75")
        #expect(played.texts.isEmpty)
        for key in [62, 60, 60] as [Int32] {
            midi(0x90, key, 90)
            midi(0x80, key, 0)
        }
        #expect(played.texts == ["3", "1", "1"])
        // Learned again, the cue moves to the other key.
        harness.send("/midi/learn", .string("/cue/play"), .float(0.25))
        midi(0x90, 70, 1)
        #expect(harness.text("/midi/1/mapping") == "note 70 channel 1 to /cue/play output 0.25 0.25")
        // A knob goes through all choices of a parameter that can be read.
        harness.send("/midi/learn", .string("/listener/1/method"), .float(0.5))
        midi(0xB0, 5, 1)
        #expect(harness.text("/midi/3/mapping") == "cc 5 channel 1 to /listener/1/method")
        #expect(harness.send("/midi/learn", .string("/cue/play"), .float(1.5)).text?.contains("a position is 0") == true)
    }

    @Test func scales() {
        harness.send("/midi/1/mapping", .string("cc 1 to /listener/1/method"))
        guard case .choice(let methods)? = harness.engine.tree(at: "/listener/1/method").map({ harness.engine.tree.nodes[$0].spec.kind })
        else { return }
        midi(0xB0, 1, 127)
        #expect(harness.number("/listener/1/method") == Float(methods.count - 1))
        midi(0xB0, 1, 0)
        #expect(harness.number("/listener/1/method") == 0)
        // A circular angle goes all the way round, and the middle is straight ahead.
        harness.send("/midi/1/mapping", .string("bend to /listener/1/front"))
        for (low, high, degrees) in [(0, 0, -180), (0, 64, 0), (127, 127, 180)] as [(Int32, Int32, Float)] {
            midi(0xE0, low, high)
            #expect(harness.number("/listener/1/front") == degrees)
        }
    }

    /// Effects come and go with their parameters; a mapping of one that is absent waits for it.
    @Test func effectsComeAndGo() {
        let mix = "/rack/recording/slot/1/mix"
        #expect(harness.send("/midi/1/mapping", .string("cc 1 to \(mix)")) == .done)
        midi(0xB0, 1, 127)
        harness.send("/rack/recording/add", .string("delay"))
        midi(0xB0, 1, 0)
        #expect(harness.number(mix) == 0)
        midi(0xB0, 1, 127)
        #expect(harness.number(mix) == 1)
        harness.send("/rack/recording/clear")
        #expect(midi(0xB0, 1, 64) == .done)
        #expect(harness.value(mix) == nil)
    }

    @Test func whatCannotBeMappedIsRefused() {
        for (target, reason) in [
            ("/listener/1/ypr", "several numbers"), ("/session/recording", "a text"), ("/engine/load", "only be read"),
            ("/listener/1/gian", "/listener/1/gain"),
        ] {
            let reply = harness.send("/midi/learn", .string(target))
            guard case .refused(let text) = reply else {
                Issue.record("\(target) was taken: \(reply)")
                continue
            }
            #expect(text.contains(reason), "\(text)")
        }
        #expect(harness.text("/midi/learn").isEmpty)
        for mapping in ["cc 1 to /session/recording", "cc 1", "knob", "cc 1 to /midi/message"] {
            guard case .refused = harness.send("/midi/1/mapping", .string(mapping)) else {
                Issue.record("\(mapping) was taken")
                continue
            }
        }
        #expect(harness.text("/midi/1/mapping").isEmpty)
        for bytes in [(0x20, 1, 1), (0xF0, 1, 1), (0xB0, 200, 1)] as [(Int32, Int32, Int32)] {
            guard case .refused = midi(bytes.0, bytes.1, bytes.2) else {
                Issue.record("\(bytes) was taken")
                continue
            }
        }
        #expect(harness.send("/midi/rack", .string("kitchen")).text?.contains("no rack") == true)
    }

    @Test func whenEveryPlaceIsTaken() {
        for place in 1...MIDIMappingParameter.most { harness.send("/midi/\(place)/mapping", .string("cc 1 to /x/\(place)")) }
        harness.send("/midi/learn", .string("/listener/1/gain"))
        midi(0xB0, 7, 1)
        #expect(harness.notices.last?.contains("64 already") == true)
        #expect(harness.text("/midi/learn").isEmpty)
        harness.send("/midi/clear")
        #expect((1...MIDIMappingParameter.most).allSatisfy { harness.text("/midi/\($0)/mapping").isEmpty })
        harness.send("/session/undo")
        #expect(harness.text("/midi/64/mapping") == "cc 1 to /x/64")
    }

    /// A learned mapping, and what a controller moves, are steps of their own.
    @Test func undo() {
        harness.send("/midi/learn", .string("/listener/1/gain"))
        midi(0xB0, 7, 1)
        midi(0xB0, 7, 0)
        midi(0xB0, 7, 127, after: 0.1)
        harness.tick()
        let range = ListenerParameter.gain.spec.range
        #expect(harness.text("/session/undo-words").hasPrefix("Gain, listener 1: 0 dB to"))
        #expect(harness.number("/listener/1/gain") == range.upperBound)
        harness.send("/session/undo")
        #expect(harness.number("/listener/1/gain") == 0)
        #expect(harness.text("/midi/1/mapping") == "cc 7 channel 1 to /listener/1/gain")
        harness.send("/session/undo")
        #expect(harness.text("/midi/1/mapping").isEmpty)
        midi(0xB0, 7, 0)
        #expect(harness.number("/listener/1/gain") == 0)
        harness.send("/session/redo")
        #expect(harness.text("/midi/1/mapping") == "cc 7 channel 1 to /listener/1/gain")
        midi(0xB0, 7, 0)
        #expect(harness.number("/listener/1/gain") == range.lowerBound)
    }

    /// Also right after the mapping was adjusted.
    @Test func aRemovalIsAStepOfItsOwn() {
        harness.send("/midi/1/mapping", .string("cc 7 to /listener/1/gain"))
        harness.send("/midi/1/mapping", .string("cc 7 to /listener/1/gain curve 0.5"))
        midi(0xB0, 7, 0, after: 0.01)
        harness.send("/midi/1/mapping", .string(""), after: 0.01)
        harness.tick()
        #expect(harness.text("/session/undo-words") == "Remove MIDI mapping: cc 7 to /listener/1/gain curve 0.5")
        harness.send("/session/undo")
        #expect(harness.text("/midi/1/mapping") == "cc 7 to /listener/1/gain curve 0.5")
        harness.send("/session/redo")
        #expect(harness.text("/midi/1/mapping").isEmpty)
    }

    @Test func sessionsKeepMappings() throws {
        harness.send("/midi/3/mapping", .string("cc14 1 channel 4 to /listener/1/gain output 0.25 0.75 curve -0.5"))
        harness.send("/midi/rack", .string("recording"))
        harness.send("/midi/program-channel", .int(3))
        harness.send("/midi/learn", .string("/listener/1/gain"))
        #expect(harness.send("/session/save-as", .string("stage")) == .done)
        harness.send("/midi/clear")
        harness.send("/midi/rack", .string(""))
        #expect(harness.send("/session/load", .string("stage")) == .done)
        #expect(harness.text("/midi/3/mapping") == "cc14 1 channel 4 to /listener/1/gain output 0.25 0.75 curve -0.5")
        #expect(harness.text("/midi/rack") == "recording")
        #expect(harness.number("/midi/program-channel") == 3)
        let file = try String(contentsOfFile: folder.path("sessions/stage.json"), encoding: .utf8)
        #expect(file.contains("cc14 1 channel 4 to") && !file.contains("learn"))
    }

    @Test func programsLoadPresetsAndThenRacksOfTheUser() throws {
        try harness.start()
        let presets = PresetFolder(folder: TestFolder.presets).names
        #expect(midi(0xC0, 1) == .done)
        #expect(harness.text("/rack/recording/title").isEmpty)
        harness.send("/midi/rack", .string("recording"))
        midi(0xC0, 1)
        #expect(harness.text("/rack/recording/title") == presets[1])
        harness.send("/midi/program-channel", .int(2))
        midi(0xC0, 2)
        #expect(harness.text("/rack/recording/title") == presets[1])
        midi(0xC1, 2)
        #expect(harness.text("/rack/recording/title") == presets[2])
        // A rack of the user follows the presets.
        harness.send("/rack/input/add", .string("delay"))
        #expect(harness.send("/rack/input/save", .string("Live/Lead")) == .done)
        harness.until("the list has it") { harness.text("/list/racks").contains("user\tLive/Lead") }
        midi(0xC1, Int32(presets.count))
        #expect(harness.text("/rack/recording/title") == "Live/Lead")
        midi(0xC1, 2)
        midi(0xC1, 127)
        #expect(harness.notices.last?.contains("program 128") == true)
        #expect(harness.text("/rack/recording/title") == presets[2])
        harness.send("/session/undo")
        #expect(harness.text("/rack/recording/title") == presets[1] || harness.text("/session/redo-words").contains("Preset"))
        // Racks of listeners that other engines have are kept.
        harness.send("/midi/rack", .string("listener/64"))
        midi(0xC1, 1)
        #expect(harness.notices.last?.contains("no rack listener/64") == true)
    }
}
