import Engine
import Foundation
import Hub
import Parameters
import Testing

/// The room of the objects: computed for its parameters, loaded from files, locked, kept by sessions, scenes and undo.
@Suite struct RoomTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        _ = try folder.sound("voice.wav")
        harness = try EngineHarness(folder, objects: 1)
        try harness.start()
        harness.send("/transport/play")
        harness.send("/object/1/source", .string("voice.wav"))
        harness.until("the object is heard") { harness.level().left > -40 }
    }

    private func numbers(_ address: String) -> [Float] { harness.value(address)?.numbers ?? [] }

    private func becomesReady() {
        harness.until("the room is ready") { harness.text("/room/state").hasPrefix("ready") }
    }

    private func room(_ name: String, _ text: String) throws {
        let rooms = folder.path("data/rooms")
        try FileManager.default.createDirectory(atPath: rooms, withIntermediateDirectories: true)
        try text.write(toFile: rooms + "/" + name, atomically: true, encoding: .utf8)
    }

    @Test func aRoomIsHeardAndChanges() {
        let free = harness.settledLevel()
        #expect(harness.text("/room/state") == "")
        harness.send("/room/on", .bool(true))
        becomesReady()
        let room = harness.settledLevel()
        #expect(room > free + 0.5, "\(free) dB, \(room) dB")
        let first = harness.text("/room/state")
        for wall in ["front", "back", "left", "right", "ceiling", "floor"] {
            #expect(harness.send("/room/wall/\(wall)", .string("acoustic-ceiling")) == .done)
        }
        harness.until("another room is ready") { harness.text("/room/state").hasPrefix("ready") && harness.text("/room/state") != first }
        #expect(harness.settledLevel() < room - 0.3)
        harness.send("/room/on", .bool(false))
        harness.until("the free field is heard") { abs(harness.level().left - free) < 0.2 && harness.text("/room/state") == "" }
    }

    /// A room that cannot be is refused as a whole, with the reason; the one before continues.
    @Test func aRoomWithoutItsListenersIsNotHeard() {
        harness.send("/room/on", .bool(true))
        becomesReady()
        let before = harness.settledLevel()
        harness.send("/room/place", .float(20), .float(0), .float(-1.5))
        harness.until("the room is refused") { harness.text("/room/state").hasPrefix("failed: place puts the listeners") }
        #expect(abs(harness.settledLevel() - before) < 1)
        harness.send("/room/size", .float(60), .float(6), .float(3))
        becomesReady()
        #expect(harness.send("/room/wall/front", .string("plaserboard")).text?.contains("no material \"plaserboard\"") == true)
        #expect(harness.text("/room/wall/front") == "plasterboard")
        #expect(harness.text("/room/materials").split(separator: "\n").count >= 30)
    }

    @Test func aLockedRoomIsNotEdited() throws {
        try room("hall.json", #"{"size": [20, 12, 6], "walls": "wood"}"#)
        harness.send("/session/save-as", .string("before"))
        harness.send("/room/turn", .float(10))
        harness.send("/room/lock", .bool(true))
        for reply in [
            harness.send("/room/size", .float(4), .float(4), .float(3)), harness.send("/room/place", .float(0), .float(0), .float(-1)),
            harness.send("/room/turn", .float(20)), harness.send("/room/order", .int(1)),
            harness.send("/room/wall/front", .string("wood")), harness.send("/room/load", .string("hall")),
        ] { #expect(reply.text?.contains("locked; set /room/lock to 0") == true, "\(reply)") }
        #expect(numbers("/room/turn") == [10])
        // Levels and the switch are not its shape.
        #expect(harness.send("/room/on", .bool(true)) == .done)
        #expect(harness.send("/room/late", .float(-3)) == .done)
        // A session brings its own room back.
        harness.send("/session/load", .string("before"))
        harness.until("the session is loaded") { numbers("/room/turn") == [0] && numbers("/room/lock") == [0] }
    }

    @Test func aFileIsLoadedUndoneAndKept() throws {
        try room(
            "cellar.json",
            #"""
            {"size": [5, 4, 2.5], "place": [0.5, 0, -1.2], "turn": 15, "order": 1, "walls": "velvet", "humidity": 70,
             "materials": [{"name": "velvet", "title": "Velvet", "absorption": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], "colour": "#440022",
                            "source": "own"}]}
            """#)
        #expect(harness.send("/room/load", .string("cellar")) == .done)
        becomesReady()
        #expect(numbers("/room/size") == [5, 4, 2.5] && numbers("/room/turn") == [15])
        #expect(harness.text("/room/wall/floor") == "velvet" && numbers("/air/humidity") == [70])
        #expect(harness.text("/room/materials").hasPrefix("velvet\t#440022\tVelvet\n"))
        harness.send("/session/save-as", .string("cellar"))
        harness.send("/session/undo")
        #expect(numbers("/room/size") == [8, 6, 3] && harness.text("/room/wall/floor") == "plasterboard")
        harness.send("/session/redo")
        #expect(harness.text("/room/wall/floor") == "velvet")
        harness.send("/scene/store", .string("cellar"))
        #expect(harness.send("/room/wall/floor", .string("wood")) == .done)
        harness.send("/scene/recall", .string("cellar"))
        harness.until("the scene is there") { harness.text("/room/wall/floor") == "velvet" }
        harness.send("/session/undo")
        harness.send("/session/load", .string("cellar"))
        harness.until("the session is loaded") { harness.text("/room/wall/floor") == "velvet" && numbers("/room/size") == [5, 4, 2.5] }
        becomesReady()
        #expect(harness.send("/room/load", .string("attic")).text?.contains("attic") == true)
    }
}
