import Engine
import Foundation
import Hub
import Parameters
import Testing

/// Objects that are added and removed, groups and paths, as clients see them.
@Suite struct ObjectListTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        _ = try folder.sound("voice.wav")
        harness = try EngineHarness(folder, objects: 2)
        try harness.start()
        harness.send("/transport/play")
    }

    private func place(_ object: Int) -> [Float] { harness.value("/object/\(object)/xyz")?.numbers ?? [] }

    private func isNear(_ a: [Float], _ b: [Float], _ tolerance: Float = 2e-3) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < tolerance }
    }

    @Test func anAddedObjectIsHeardAndARemovedOneComesBackByUndo() {
        #expect(harness.send("/object/3/gain", .float(-3)).text?.contains("/object/add") == true)
        #expect(harness.send("/object/add", .string("voice.wav")) == .done)
        #expect(harness.text("/object/list") == "1-3" && harness.number("/object/count") == 3)
        harness.until("it is heard") { harness.level().left > -30 }
        harness.send("/object/3/name", .string("Anna"))
        harness.send("/object/3/azimuth", .float(30))
        harness.send("/object/remove", .int(3))
        #expect(harness.value("/object/3/azimuth") == nil && harness.text("/object/list") == "1-2")
        harness.until("it has faded out") { harness.level().left < -90 }
        harness.send("/session/undo")
        #expect(harness.text("/object/3/name") == "Anna" && harness.number("/object/3/azimuth") == 30)
        harness.until("it is heard again") { harness.level().left > -30 }
        harness.send("/session/redo")
        #expect(harness.value("/object/3/azimuth") == nil)
        // An addition is undone as well, and the number is free with the values of the start.
        harness.send("/object/add", .string("Bela"))
        #expect(harness.text("/object/3/name") == "Bela" && harness.number("/object/3/azimuth") == 0)
        harness.send("/session/undo")
        #expect(harness.value("/object/3/name") == nil && harness.text("/object/list") == "1-2")
    }

    @Test func sessionsAndScenesKeepWhichObjectsThereAre() throws {
        harness.send("/object/list", .string("2, 5-6"))
        #expect(harness.text("/object/list") == "2,5-6")
        harness.send("/object/5/azimuth", .float(45))
        harness.send("/scene/store", .string("three"))
        harness.send("/session/save-as", .string("three"))
        harness.send("/object/list", .string("1"))
        harness.send("/scene/recall", .string("three"), .float(0))
        harness.pull(10)
        #expect(harness.text("/object/list") == "2,5-6" && harness.number("/object/5/azimuth") == 45)
        harness.send("/object/list", .string(""))
        harness.send("/session/load", .string("three"))
        #expect(harness.text("/object/list") == "2,5-6" && harness.number("/object/5/azimuth") == 45)
        #expect(harness.number("/session/changed") == 0)
        let other = try EngineHarness(folder, objects: 8)
        try other.engine.loadSession("three")
        #expect(other.text("/object/list") == "2,5-6" && other.number("/object/5/azimuth") == 45)
    }

    @Test func objectsInTheArrayComeAndGoAsOthersDo() throws {
        #expect(harness.number("/object/1/renderer") == 0)
        #expect(harness.send("/object/add", .string("voice.wav")) == .done)
        harness.send("/object/3/renderer", .string("array"))
        harness.send("/object/3/azimuth", .float(60))
        harness.until("it is heard") { harness.level().left > -30 }
        #expect(harness.number("/object/3/renderer") == 1)
        harness.send("/session/save-as", .string("array"))
        harness.send("/object/remove", .int(3))
        harness.until("it has faded out") { harness.level().left < -90 }
        harness.send("/object/add", .string("voice.wav"))
        #expect(harness.number("/object/3/renderer") == 0)
        harness.until("the new one is heard") { harness.level().left > -30 }
        harness.send("/object/remove", .int(3))
        harness.until("it has faded out, too") { harness.level().left < -90 }
        harness.send("/session/undo")
        harness.send("/session/load", .string("array"))
        #expect(harness.number("/object/3/renderer") == 1)
        harness.until("the one of the session is heard") { harness.level().left > -30 }
    }

    @Test func theLimitIsToldAndWrongListsAreRefused() {
        for _ in 0..<300 { harness.send("/object/add", .string(""), after: 0) }
        #expect(harness.number("/object/count") == 256 && harness.number("/object/most") == 256)
        #expect(harness.send("/object/add", .string("")).text?.contains("there are 256 objects, which is the maximum") == true)
        #expect(harness.send("/object/list", .string("1-257")).text?.contains("numbers from 1 to 256") == true)
        #expect(harness.send("/object/list", .string("all")).text?.contains("such as 1-8,12") == true)
        harness.pull(20)
        harness.send("/object/list", .string("1"))
        #expect(harness.send("/object/remove", .int(2)).text?.contains("there is no object 2; there are 1") == true)
        harness.send("/object/256/gain", .float(1))
        #expect(harness.number("/object/count") == 1)
    }

    @Test func groupsMoveTurnAndFallSilentTogether() {
        harness.send("/object/1/xyz", .float(2), .float(1), .float(0))
        harness.send("/object/2/xyz", .float(2), .float(-1), .float(0))
        #expect(harness.send("/object/group/1/xyz", .float(0), .float(0), .float(0)).text?.contains("has no objects") == true)
        for object in 1...2 { harness.send("/object/\(object)/group", .int(1)) }
        harness.pull(10)
        #expect(isNear(harness.value("/object/group/1/xyz")?.numbers ?? [], [2, 0, 0]) && harness.number("/object/group/1/members") == 2)
        harness.send("/object/group/1/yaw", .float(90))
        harness.pull(10)
        #expect(isNear(place(1), [1, 0, 0]) && isNear(place(2), [3, 0, 0]) && harness.number("/object/1/yaw") == 90)
        harness.send("/object/group/1/xyz", .float(0), .float(4), .float(1))
        harness.pull(10)
        #expect(isNear(place(1), [-1, 4, 1]) && isNear(place(2), [1, 4, 1]))
        harness.send("/session/undo")
        harness.pull(10)
        #expect(isNear(place(1), [1, 0, 0]))
        harness.send("/object/1/source", .string("voice.wav"))
        harness.until("it is heard") { harness.level().left > -30 }
        let before = harness.settledLevel()
        harness.send("/object/group/1/gain", .float(-12))
        harness.until("all are quieter") { abs(harness.settledLevel() - before + 12) < 0.2 }
        harness.send("/object/group/1/mute", .bool(true))
        harness.until("all are silent") { harness.level().left < -90 }
        // A turn that a session brings back has been made already.
        harness.send("/session/save-as", .string("turned"))
        harness.send("/object/group/1/yaw", .float(0))
        harness.send("/session/load", .string("turned"))
        harness.pull(10)
        #expect(isNear(place(1), [1, 0, 0]) && harness.number("/object/group/1/yaw") == 90)
    }

    @Test func aPathMovesAnObjectAndAWrongOneIsRefused() {
        for (text, why) in [
            ("{\"circle\": {\"seconds\": 0}}", "\"seconds\" is 0.0; expected at least 0.1"), ("circle", "/object/1/path:1"),
            ("{\"keyframes\": [\n{\"time\": 1, \"xyz\": [1, 2]}]}", ":2: \"xyz\" has 2 numbers"),
            ("{\"keyframes\": [{\"time\": 1, \"xyz\": [1, 2, 3]}, {\"time\": 1, \"xyz\": [1, 2, 3]}]}", "rising times"),
            ("{}", "one of them"), ("{\"circle\": {\"size\": 3}}", "\"size\" is unknown"),
        ] {
            let reply = harness.send("/object/1/path", .string(text))
            #expect(reply.text?.contains(why) == true, "\(reply)")
        }
        harness.send("/object/1/azimuth", .float(10))
        harness.pull(10)
        #expect(harness.number("/object/1/azimuth") == 10)
        harness.send("/session/save-as", .string("path"))
        harness.send("/object/1/path", .string("{\"circle\": {\"radius\": 3, \"seconds\": 2}}"))
        harness.until("it has moved to the back") { abs(harness.number("/object/1/azimuth")) > 150 }
        #expect(abs(harness.number("/object/1/distance") - 3) < 1e-3)
        harness.send("/session/save-as", .string("path"), .bool(true))
        harness.pull(100)
        // The place on the path is no unsaved change.
        #expect(harness.number("/session/changed") == 0)
        harness.send("/transport/pause")
        harness.pull(60)
        let held = harness.number("/object/1/azimuth")
        harness.pull(60)
        #expect(harness.number("/object/1/azimuth") == held)
        harness.send("/object/1/path", .string(""))
        harness.send("/object/1/azimuth", .float(20))
        harness.pull(60)
        #expect(harness.number("/object/1/azimuth") == 20)
    }
}
