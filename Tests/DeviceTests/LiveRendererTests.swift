import Render
import Synchronization
import Testing

@testable import Device

@Suite struct LiveRendererTests {
    private let time = BlockTime(begin: 1, output: 2)

    private func probe(_ log: ProbeLog) -> ProbeRenderer {
        var renderer = ProbeRenderer(log)
        renderer.sound = { _ in 1 }
        return renderer
    }

    @Test func fadesInAndOutWithin5Milliseconds() {
        let holder = RendererHolder(probe(ProbeLog()))
        var live = LiveRenderer(holder, frames: 240, rate: 48_000, listeners: 1)
        live.render(frames: 120, at: time)
        #expect(live.ears.left[0] == 1.0 / 240 && live.ears.left[119] == 0.5 && live.ears.right[119] == 0.5)
        live.render(frames: 240, at: time)
        #expect(live.ears.left[0] == 121.0 / 240 && live.ears.right[119] == 1 && live.ears.left[239] == 1)
        live.render(frames: 240, at: time)
        #expect(live.ears.left[0] == 1)
        holder.fading.raise()
        live.render(frames: 239, at: time)
        #expect(live.ears.left[0] == 239.0 / 240 && !holder.faded.isRaised)
        live.render(frames: 1, at: time)
        #expect(live.ears.right[0] == 0 && holder.faded.isRaised)
    }

    @Test func theRendererIsTakenBetweenTwoBlocks() {
        let log = ProbeLog()
        let holder = RendererHolder(probe(log))
        var live = LiveRenderer(holder, frames: 240, rate: 48_000, listeners: 4)
        live.count(xruns: 2)
        live.count(xruns: 1)
        live.render(frames: 240, at: time)
        #expect(log.xruns == [3])
        #expect(holder.enter() && !holder.claim())
        holder.leave()
        #expect(holder.claim() && !holder.claim() && !holder.enter())
        let renderer = holder.pointer.move()
        live.render(frames: 240, at: time)
        #expect(live.ears.left[239] == 0 && renderer.frame == 240 && log.sizes.count == 1)
    }

    @Test func aSlotIsSilentUntilTheRendererComes() {
        let log = ProbeLog()
        let holder = RendererHolder<ProbeRenderer>(listeners: 1)
        var live = LiveRenderer(holder, frames: 240, rate: 48_000, listeners: 1)
        live.count(xruns: 2)
        live.render(frames: 240, at: time)
        #expect(live.ears.left[239] == 0 && holder.newestBlock == 1 && log.sizes.isEmpty)
        holder.put(probe(log))
        live.render(frames: 240, at: BlockTime(begin: 7, output: 8))
        // Faded in; the blocks that were lost before are nobody's.
        #expect(live.ears.left[0] == 1.0 / 240 && live.ears.left[239] == 1 && log.xruns.isEmpty && holder.newestBlock == 7)
    }

    @Test func aRendererThatIsNotTakenIsFreedOnce() {
        let log = ProbeLog()
        do { _ = RendererHolder(probe(log)) }
        #expect(log.alive.load(ordering: .relaxed) == 0)
    }
}
