import Engine
import Foundation
import Hub
import Parameters
import Testing

/// Listening tests as experimenters start them: whose sound plays where, who can take part, and the seed.
@Suite struct ListeningTestTests {
    let folder: TestFolder
    let recording: String

    init() throws {
        folder = TestFolder()
        recording = try folder.recording("passage.wav")
    }

    private func harness(device: String) throws -> EngineHarness {
        let harness = try EngineHarness(folder, channels: 4) {
            $0.deviceName = device
            ($0.listeners, $0.networkListeners, $0.workers) = (2, 2, 1)
        }
        try harness.start(playing: folder)
        return harness
    }

    private func wait(_ harness: EngineHarness, for phase: String) {
        harness.until("the test is \(phase)") { harness.engine.tests.viewText.contains("\"phase\":\"\(phase)\"") }
    }

    /// Whether the participant's page has to play the sound itself.
    private func isHeardHere(_ harness: EngineHarness) -> Bool {
        harness.tick()
        return harness.engine.tests.viewText.contains("\"isHeardHere\":true")
    }

    /// A browser plays what no sound card does, and nothing else.
    @Test(arguments: [("alsa:hw:1", true), ("jack", true), ("jack:hall", true), ("timer", false)])
    func theSoundIsPlayedOnce(_ device: String, _ isCard: Bool) throws {
        let harness = try harness(device: device)
        harness.send("/test/listener", .int(2))
        harness.send("/test/pair", .string("nearest linear"))
        #expect(harness.send("/test/compare") == .done)
        wait(harness, for: "ready")
        #expect(isHeardHere(harness))
        // The second listener plays on channels of its own.
        #expect(harness.send("/listener/2/output", .string("3,4")) == .done)
        #expect(isHeardHere(harness) == !isCard)
        harness.send("/listener/2/output", .string(""))
        #expect(isHeardHere(harness))
    }

    /// While a test is under way nobody may read its conditions; other files of the library can be read.
    @Test func conditionsCannotBeReadDuringATest() throws {
        let harness = try harness(device: "timer")
        let place = ClientFiles.Kind.tests.rawValue
        #expect(harness.engine.libraryFolder(of: place, for: "pair.json") == folder.path("data/tests"))
        harness.send("/test/pair", .string("nearest linear"))
        #expect(harness.send("/test/compare") == .done)
        wait(harness, for: "ready")
        #expect(harness.engine.libraryFolder(of: place, for: "pair.json") == nil)
        #expect(harness.engine.libraryFolder(of: ClientFiles.Kind.sounds.rawValue, for: "voice.wav") == folder.path("sounds"))
        harness.send("/test/stop")
        #expect(harness.engine.libraryFolder(of: place, for: "pair.json") == folder.path("data/tests"))
    }

    @Test func listenersOnTheNetworkCannotTakePart() throws {
        let harness = try harness(device: "timer")
        harness.send("/test/pair", .string("nearest linear"))
        for (listener, words) in [
            (4, "there is no listener 4; tests are for listeners of the sound device, 1 to 2"),
            (3, "listener 3 is on the network; tests are for listeners of the sound device, 1 to 2"),
        ] as [(Int32, String)] {
            if listener == 3 { #expect(harness.send("/listener/add", .string("Anna")) == .done) }
            harness.send("/test/listener", .int(listener))
            #expect(harness.send("/test/compare").text?.contains(words) == true)
        }
    }

    /// A seed is for one participant: later ones draw theirs.
    @Test func aSeedIsUsedOnce() throws {
        try FileManager.default.createDirectory(atPath: folder.path("data/tests"), withIntermediateDirectories: true)
        let definition = """
            {"title": "Seeds", "reference": "nearest", "conditions": ["linear"], "anchors": [],
             "passages": [{"recording": "\(recording)", "from": 0, "to": 0.5}]}
            """
        try Data(definition.utf8).write(to: URL(filePath: folder.path("data/tests/seeds.json")))
        let harness = try harness(device: "timer")
        harness.send("/test/definition", .string("seeds"))
        harness.send("/test/seed", .int(4711))
        func seed(of code: String) throws -> Int? {
            harness.send("/test/participant", .string(code))
            #expect(harness.send("/test/start") == .done)
            wait(harness, for: "ready")
            harness.send("/test/stop")
            let path = folder.path("data/results/seeds-\(code).json")
            harness.until("the progress is written") { FileManager.default.fileExists(atPath: path) }
            let record = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any]
            return record?["seed"] as? Int
        }
        #expect(try seed(of: "P1") == 4711)
        let others = try [seed(of: "P2"), seed(of: "P3")]
        #expect(!others.contains(4711) && others[0] != others[1])
        // The first participant continues with the first seed.
        #expect(try seed(of: "P1") == 4711)
    }
}
