import Crossing
import Engine
import Foundation
import Hub
import Parameters
import Render
import RenderInterface
import TestSupport
import Testing

/// Listeners on the network that are rendered while someone hears or records them, and at no other time.
@Suite struct NetworkListenerTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = TestFolder()
        harness = try EngineHarness(folder) {
            $0.networkListeners = 4
            $0.workers = 1
        }
        try harness.start(playing: folder)
    }

    private var worker: NetworkConnections.Worker { harness.engine.lines.network.workers[0] }

    /// Blocks that were sent to the worker, apart from those that it has not taken yet.
    private var blocks: Int { worker.blocks + worker.lost }

    /// Waits until blocks are rendered for the listeners on the network, and then for the newest one for listener 2: none is left in
    /// the queue.
    private func waitUntilRendering() {
        let before = worker.blocks
        harness.until("blocks are rendered") { worker.blocks > before }
        waitUntil("the newest block is rendered", every: 100) {
            let isNewest = harness.engine.lines.network.positions[1] >= Int(harness.engine.telemetry.state.samples)
            if !isNewest { harness.pull(10) }
            return isNewest
        }
    }

    /// Whether no blocks are sent to the worker. They are more than its queue can hold: if the worker did not take them, they would count
    /// as lost.
    private func isIdle() -> Bool {
        let before = blocks
        harness.pull(200)
        return blocks == before
    }

    @Test func oneThatNobodyHearsCostsNothing() throws {
        harness.send("/listener/add", .string("Anna"))
        harness.send("/listener/add", .string(""))
        #expect(harness.number("/listener/count") == 3)
        #expect(isIdle() && blocks == 0)
        // It is silent, as it has to be.
        for _ in 0..<60 { harness.pull(10) }
        #expect(harness.number("/engine/silent") == 0 && harness.engine.listeners.sound.report.isPlausible)
        let listeners = harness.engine.listeners.network
        listeners.hear(number: 2, clients: 1)
        waitUntilRendering()
        harness.until("it has levels") { (harness.value("/meter/listener/2/rms")?.numbers.max() ?? 0) > 0.001 }
        listeners.hear(number: 2, clients: 2)
        listeners.hear(number: 2, clients: 1)
        waitUntilRendering()
        listeners.hear(number: 2, clients: 0)
        #expect(isIdle())
        harness.until("its levels are silence") { harness.value("/meter/listener/2/rms")?.numbers == [0, 0] }
        #expect(isIdle())
    }

    /// Filters and effects that are exchanged meanwhile are those that are heard later.
    @Test func whatWasSetMeanwhileIsHeardLater() throws {
        harness.send("/listener/add", .string("Anna"))
        harness.send("/listener/2/method", .string("nearest"))
        for _ in 0..<40 {
            harness.send("/rack/listener/2/add", .string("tremolo"))
            harness.send("/rack/listener/2/remove", .int(1))
            harness.tick()
        }
        harness.send("/rack/listener/2/add", .string("equaliser"))
        harness.send("/rack/listener/2/bypass", .bool(true))
        harness.send("/listener/2/gain", .float(-20))
        harness.engine.listeners.network.hear(number: 2, clients: 1)
        let expected = Double(PlaybackTests.tone) - 20
        harness.until("it is heard with its settings") {
            guard let level = harness.value("/meter/listener/2/rms")?.numbers.first, level > 0 else { return false }
            return abs(20 * log10(Double(level)) - expected) < 0.3
        }
    }

    @Test func oneThatIsRecordedIsRendered() throws {
        harness.send("/listener/add", .string("Anna"))
        harness.send("/take/source/ears", .string("1,2"))
        harness.tick()
        waitUntilRendering()
        harness.send("/take/source/ears", .string("1"))
        harness.tick()
        #expect(isIdle())
    }
}
