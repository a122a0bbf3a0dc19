import Engine
import Foundation
import Hub
import Parameters
import Testing

/// Settings that browsers learn which render a listener themselves, and what makes them leave it to the engine.
@Suite struct ListenerDescriptionTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        _ = try folder.sound("voice.wav")
        harness = try EngineHarness(folder, objects: 2) {
            $0.networkListeners = 2
            $0.workers = 1
            $0.trackers = 2
        }
        try harness.start()
        harness.send("/listener/add", .string("Anna"))
        harness.send("/listener/add", .string("Berta"))
    }

    /// The settings of Anna, after a change that her client is told of.
    private func told() throws -> [String: Any] {
        let descriptions = harness.engine.listeners.descriptions
        #expect(descriptions.changed(among: [2]) == [2])
        let text = descriptions.text(1)
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// A browser hears objects as from the origin.
    @Test func aPlaceAmongObjectsIsToldOf() throws {
        let descriptions = harness.engine.listeners.descriptions
        _ = descriptions.changed(among: [2])
        harness.send("/listener/2/xyz", .float(1), .float(0), .float(-0.5))
        #expect(try told()["place"] as? Bool == false)
        harness.send("/object/2/source", .string("voice.wav"))
        #expect(try told()["place"] as? Bool == true)
        harness.send("/listener/3/xyz", .float(1), .float(0), .float(0))
        #expect(descriptions.changed(among: [2]).isEmpty)
        // Objects in the array come with the microphones.
        harness.send("/object/2/renderer", .string("array"))
        #expect(try told()["place"] as? Bool == false)
        harness.send("/object/2/renderer", .string("direct"))
        #expect(try told()["place"] as? Bool == true)
        harness.send("/listener/2/xyz", .float(0), .float(0), .float(0))
        #expect(try told()["place"] as? Bool == false)
    }

    @Test func aTrackerThatMayMoveAListenerIsToldOf() throws {
        _ = harness.engine.listeners.descriptions.changed(among: [2])
        harness.send("/object/1/source", .string("voice.wav"))
        harness.send("/tracker/1/position", .bool(true))
        #expect(try told()["place"] as? Bool == false)
        harness.send("/tracker/1/listener", .int(2))
        #expect(try told()["place"] as? Bool == true)
        harness.send("/tracker/1/position", .bool(false))
        #expect(try told()["place"] as? Bool == false)
    }

    @Test func moreObjectsThanAPacketHoldsAreToldOf() throws {
        for _ in 0..<80 { harness.send("/object/add", .string("voice.wav")) }
        let descriptions = harness.engine.listeners.descriptions
        _ = descriptions.changed(among: [2])
        harness.send("/object/1/source", .string("voice.wav"))
        #expect(try told()["crowded"] as? Bool == true)
        harness.send("/object/1/source", .string(""))
        #expect(try told()["crowded"] as? Bool == false)
    }
}
