import Engine
import Foundation
import Hub
import Parameters
import Session
import Testing

/// Sessions of more listeners than the program has that opens them.
@Suite struct SessionListenersTests {
    let folder = TestFolder()

    private func engine(listeners: Int, network: Int = 0) throws -> EngineHarness {
        let harness = try EngineHarness(folder) { options in
            options.listeners = listeners
            options.networkListeners = network
        }
        try harness.start()
        return harness
    }

    private func saved(_ name: String = "trio") throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: folder.path("sessions/\(name).json")))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func saveTrio() throws {
        let harness = try engine(listeners: 3)
        harness.send("/listener/2/gain", .float(-20))
        harness.send("/listener/3/gain", .float(-30))
        harness.send("/scene/store", .string("quiet"))
        harness.send("/rack/listener/3/add", .string("chorus"))
        #expect(harness.send("/session/save-as", .string("trio")) == .done)
        harness.stop()
    }

    private func gain(_ listener: Int, in fields: [String: Any]) -> Double? {
        (fields["parameters"] as? [String: Any])?["/listener/\(listener)/gain"] as? Double
    }

    @Test(arguments: [0, 4]) func listenersBeyondThoseOfTheProgramStayInTheFile(network: Int) throws {
        try saveTrio()
        #expect(SessionFile.deviceListeners(inFile: folder.path("sessions/trio.json")) == 3)

        let small = try engine(listeners: 1, network: network)
        #expect(small.send("/session/load", .string("trio")) == .done)
        #expect(small.notices.contains { $0.contains("has 3 listeners, and the program 1") && $0.contains("--listeners 3") })
        small.send("/listener/1/gain", .float(-5))
        small.send("/scene/store", .string("quiet"))
        #expect(small.send("/session/save") == .done)
        let file = try saved()
        #expect(file["listeners"] as? Int == 3)
        #expect(gain(1, in: file) == -5 && gain(2, in: file) == -20 && gain(3, in: file) == -30)
        #expect((file["racks"] as? [String: Any])?["listener/3"] != nil)
        let scene = try #require((file["scenes"] as? [[String: Any]])?.first)
        #expect(gain(1, in: scene) == -5 && gain(3, in: scene) == -30)
        small.stop()

        let large = try engine(listeners: 3)
        #expect(large.send("/session/load", .string("trio")) == .done)
        #expect(large.number("/listener/2/gain") == -20 && large.number("/listener/3/gain") == -30)
        #expect(!large.text("/rack/listener/3/layout").isEmpty)
        #expect(!large.notices.contains { $0.contains("listeners, and the program") })
    }

    @Test func earlierFilesDoNotSayHowManyListenersTheyHave() throws {
        try saveTrio()
        let path = folder.path("sessions/trio.json")
        var file = try saved()
        file["listeners"] = nil
        try JSONSerialization.data(withJSONObject: file).write(to: URL(filePath: path))
        #expect(SessionFile.deviceListeners(inFile: path) == 3)
        let small = try engine(listeners: 1)
        #expect(small.send("/session/load", .string("trio")) == .done)
        #expect(small.notices.contains { $0.contains("has 3 listeners") })
    }

    @Test func namedListenersOnTheNetworkAreNotOfTheDevice() throws {
        let harness = try engine(listeners: 1, network: 4)
        #expect(harness.send("/listener/add", .string("anna")) == .done)
        harness.until("the listener is there") { harness.engine.hub.tree.isPresent[1] }
        harness.send("/listener/2/gain", .float(-7))
        #expect(harness.send("/session/save-as", .string("trio")) == .done)
        #expect(try gain(2, in: saved()) == -7)
        #expect(SessionFile.deviceListeners(inFile: folder.path("sessions/trio.json")) == 1)
    }
}
