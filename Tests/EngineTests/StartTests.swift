import Binaural
import Engine
import Parameters
import Testing

/// The state that an engine starts with.
@Suite struct StartTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        _ = try folder.sound("voice.wav")
        harness = try EngineHarness(folder, objects: 2)
    }

    @Test func optionsTakePrecedenceOverTheSession() throws {
        harness.send("/listener/1/front", .float(10))
        harness.send("/listener/1/ear-azimuth", .float(95))
        harness.send("/session/save-as", .string("concert"))
        let other = try EngineHarness(folder, objects: 2)
        var state = StartState()
        state.hasSession = true
        state.recording = try folder.recording()
        state.listener = [(.front, .float(-20)), (.method, .string("linear"))]
        state.objects = [(folder.path("sounds/voice.wav"), [(.azimuth, .float(30)), (.gain, .float(-6))])]
        state.deck = [(.repeat, .string("all"))]
        try other.engine.loadSession("concert")
        #expect(other.number("/listener/1/front") == 10)
        try other.engine.begin(state)
        #expect(other.number("/listener/1/front") == -20)
        #expect(other.number("/listener/1/ear-azimuth") == 95)
        #expect(other.number("/listener/1/method") == Float(InterpolationMethod.linear.rawValue))
        #expect(other.number("/object/1/azimuth") == 30 && other.number("/object/1/gain") == -6)
        #expect(other.text("/object/1/source") == "voice.wav")
        #expect(other.text("/session/recording") == state.recording)
        #expect(other.engine.recording.transport.state == TransportParameter.playing)
    }

    /// Whether parts hold each other, or the hub its handlers' owners.
    @Test(arguments: [0, 2]) func anEngineThatEndsLeavesNothingBehind(networkListeners: Int) throws {
        weak var hub = harness.engine.hub
        do {
            let other = try EngineHarness(folder, objects: 2) { $0.networkListeners = networkListeners }
            try other.engine.begin(StartState())
            hub = other.engine.hub
            #expect(hub != nil)
            other.stop()
        }
        harness.until("it has gone") { hub == nil }
    }

    @Test func withoutOptionsNothingPlays() throws {
        try harness.engine.begin(StartState())
        #expect(harness.engine.recording.transport.state != TransportParameter.playing)
    }

    @Test func aSoundFileIsNoSession() throws {
        #expect(throws: StartError.self) { try harness.engine.loadSession(try folder.recording()) }
    }

    @Test func aValueOutOfRangeIsRefused() {
        var state = StartState()
        state.listener = [(.front, .float(.nan))]
        #expect(throws: StartError.self) { try harness.engine.begin(state) }
    }

    /// A file ends with its recording: without one, or with a source that has no end, it is refused.
    @Test func aFileDeviceNeedsAnEnd() throws {
        var state = StartState()
        state.outputFile = "out.wav"
        #expect(throws: StartError.self) { try harness.engine.begin(state) }
        let recording = try folder.recording()
        state.recording = recording
        state.music = "music.wav"
        #expect(throws: StartError.self) { try harness.engine.begin(state) }
        state.music = nil
        state.playlist = [recording]
        #expect(throws: StartError.self) { try harness.engine.begin(state) }
        state.playlist = []
        try harness.engine.begin(state)
        #expect(harness.number("/transport/loop") == 0)
    }
}
