import Engine
import Foundation
import Hub
import Parameters
import Session
import TestSupport
import Testing

/// Taking over values, racks and scenes of another engine.
@Suite struct EngineFollowerTests {
    let folder: TestFolder
    let leader: EngineHarness
    let follower: EngineHarness

    init() throws {
        folder = TestFolder()
        leader = try EngineHarness(folder, objects: 2)
        follower = try EngineHarness(folder, objects: 2)
        follower.engine.follower.follow(true)
    }

    /// Hands over a parameter of the leader as the broker would.
    private func share(_ addresses: String...) {
        var values: [String: [Argument]] = [:]
        for address in addresses {
            guard let index = leader.engine.tree(at: address) else { continue }
            values[address] = leader.engine.hub.tree.nodes[index].spec.arguments(leader.engine.hub.value(index))
        }
        follower.engine.follower.take(values)
        follower.tick()
    }

    private func shareSession() throws {
        let text = String(decoding: try leader.engine.follower.shared.encoded(), as: UTF8.self)
        follower.engine.follower.take(try SessionFile.parse(text, path: "shared", follower.engine.tree))
        follower.tick()
    }

    @Test func valuesAreTakenOverAndAreNoStepsOfUndo() {
        leader.send("/listener/1/gain", .float(-6))
        leader.send("/object/2/azimuth", .float(45))
        share("/listener/1/gain", "/object/2/azimuth")
        #expect(follower.number("/listener/1/gain") == -6 && follower.number("/object/2/azimuth") == 45)
        follower.tick()
        #expect(!follower.text("/session/undo-words").contains("Gain"))
    }

    @Test func valuesAreSetAsSoonAsTheyCome() {
        follower.engine.follower.take(["/listener/1/gain": [.float(-6)]])
        #expect(follower.number("/listener/1/gain") == -6)
        follower.engine.follower.follow(false)
        follower.engine.follower.take(["/listener/1/gain": [.float(-3)]])
        #expect(follower.number("/listener/1/gain") == -6)
    }

    @Test func theMachinesOwnStaysItsOwn() {
        leader.send("/input/gain", .float(-6))
        leader.send("/listener/1/front", .float(20))
        leader.send("/listener/1/prediction", .float(20))
        leader.send("/take/name", .string("stolen"))
        share("/input/gain", "/listener/1/front", "/listener/1/prediction", "/take/name", "/session/name", "/transport/play")
        #expect(follower.number("/input/gain") == 0 && follower.number("/listener/1/front") == 0)
        #expect(follower.number("/listener/1/prediction") == 0 && !follower.text("/take/name").contains("stolen"))
    }

    @Test func settingsOfAnEffectWaitForIt() throws {
        leader.send("/rack/recording/add", .string("delay"))
        leader.send("/rack/recording/slot/1/delay/time", .float(250))
        share("/rack/recording/slot/1/delay/time")
        #expect(follower.engine.tree(at: "/rack/recording/slot/1/delay/time") == nil)
        leader.send("/rack/recording/slot/1/delay/time", .float(100))
        try shareSession()
        follower.tick()
        #expect(follower.text("/rack/recording/layout") == "1")
        // The newer of both was in the rack, and the older one came as a value of its own.
        #expect([100, 250].contains(follower.number("/rack/recording/slot/1/delay/time")))
        share("/rack/recording/slot/1/delay/time")
        #expect(follower.number("/rack/recording/slot/1/delay/time") == 100)
        leader.send("/rack/recording/clear")
        try shareSession()
        #expect(follower.text("/rack/recording/layout").isEmpty)
    }

    @Test func aSceneIsRecalledAsThere() throws {
        leader.send("/listener/1/gain", .float(-20))
        leader.send("/scene/store", .string("quiet"))
        leader.send("/listener/1/gain", .float(0))
        leader.send("/scene/store", .string("loud"))
        try shareSession()
        #expect(follower.text("/scene/names") == "quiet\nloud")
        // The state at the beginning is no recall.
        share("/scene/current")
        leader.send("/scene/recall", .string("quiet"), .float(0))
        leader.tick()
        follower.send("/scene/crossfade", .float(10))
        share("/scene/current")
        // Another thread looks for the files that the scene names.
        waitUntil("it is ramped") {
            follower.tick(after: 0.1)
            return follower.number("/listener/1/gain") < -0.5
        }
        #expect(follower.number("/listener/1/gain") > -19.5)
        // Values of the leader wait for the end of the crossfade.
        share("/listener/1/gain")
        #expect(follower.number("/listener/1/gain") > -19.5)
        waitUntil("the crossfade has ended") {
            follower.tick(after: 0.1)
            return follower.number("/listener/1/gain") == -20
        }
    }

    @Test func aRecalledSceneLeavesTheMachinesOwn() throws {
        leader.send("/input/gain", .float(-30))
        leader.send("/rack/input/add", .string("delay"))
        leader.send("/listener/1/gain", .float(-10))
        leader.send("/scene/store", .string("far"))
        leader.send("/scene/store", .string("near"))
        try shareSession()
        share("/scene/current")
        follower.send("/input/gain", .float(-3))
        follower.send("/scene/crossfade", .float(0))
        leader.send("/scene/recall", .string("far"), .float(0))
        share("/scene/current")
        for _ in 0..<4 { follower.tick() }
        #expect(follower.number("/listener/1/gain") == -10 && follower.number("/input/gain") == -3)
        #expect(follower.text("/scene/current") == "far" && follower.text("/rack/input/layout").isEmpty)
    }

    @Test func scenesThatAreNotSharedStay() throws {
        leader.send("/scene/store", .string("a"))
        try shareSession()
        #expect(follower.text("/scene/names") == "a")
        var racks = SessionFile(recording: nil, snapshot: Snapshot())
        racks.leavesOutScenes = true
        follower.engine.follower.take(racks)
        follower.tick()
        #expect(follower.text("/scene/names") == "a")
        racks.leavesOutScenes = false
        follower.engine.follower.take(racks)
        follower.tick()
        #expect(follower.text("/scene/names").isEmpty)
    }

    @Test func anEngineThatHasGoneLeavesEverything() {
        leader.send("/listener/1/gain", .float(-6))
        share("/listener/1/gain")
        follower.engine.follower.follow(false)
        leader.send("/listener/1/gain", .float(-9))
        share("/listener/1/gain")
        #expect(follower.number("/listener/1/gain") == -6)
    }
}
