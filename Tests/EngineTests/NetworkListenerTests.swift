import Engine
import Foundation
import Hub
import Parameters
import Render
import TestSupport
import Testing

/// Listeners on the network that are rendered while someone hears or records them, and at no other time.
@Suite struct NetworkListenerTests {
    let folder: TestFolder
    let harness: EngineHarness

    init() throws {
        folder = try TestFolder()
        harness = try EngineHarness(folder) {
            $0.networkListeners = 4
            $0.workers = 1
        }
        try harness.start(playing: folder)
    }

    /// Blocks that the worker has taken from the audio thread.
    private var blocks: Int { harness.engine.lines.network.workers[0].blocks }

    /// Whether further blocks are rendered for the listeners on the network.
    private func isRendering() -> Bool {
        // Blocks that were sent before are rendered first; without a block of the device no further ones are sent.
        var before = -1
        waitUntil("the blocks sent before are rendered", every: 100) {
            defer { before = blocks }
            return blocks == before
        }
        for _ in 0..<50 {
            harness.pull(10)
            if blocks > before { return true }
            stimulus(milliseconds: 2)
        }
        return false
    }

    @Test func oneThatNobodyHearsCostsNothing() throws {
        harness.send("/listener/add", .string("Anna"))
        harness.send("/listener/add", .string(""))
        #expect(harness.number("/listener/count") == 3)
        #expect(!isRendering() && blocks == 0)
        // It is silent, as it has to be.
        for _ in 0..<60 { harness.pull(10) }
        #expect(harness.number("/engine/silent") == 0 && harness.engine.listeners.sound.report.isPlausible)
        let listeners = harness.engine.listeners.network
        listeners.hear(number: 2, clients: 1)
        #expect(isRendering())
        harness.until("it has levels") { (harness.value("/meter/listener/2/rms")?.numbers.max() ?? 0) > 0.001 }
        listeners.hear(number: 2, clients: 2)
        listeners.hear(number: 2, clients: 1)
        #expect(isRendering())
        listeners.hear(number: 2, clients: 0)
        harness.until("its levels are silence") { harness.value("/meter/listener/2/rms")?.numbers == [0, 0] }
        #expect(!isRendering())
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
        #expect(isRendering())
        harness.send("/take/source/ears", .string("1"))
        harness.tick()
        #expect(!isRendering())
    }
}
