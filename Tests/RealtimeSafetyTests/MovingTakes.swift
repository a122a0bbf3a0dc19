import Crossing
import Render
import RenderInterface
import TestSupport

/// Takes that begin, end and change their sources while sound is rendered; the other ends of their sound are read slowly.
struct MovingTakes: ~Copyable {
    private var taps: Handover<TakeTap>.Control
    private let isMotionWanted: Switch.Control
    private var heads: Ring<TakeHead>.Consumer
    private var objects: Ring<TakeObject>.Consumer
    private var outlets: [TakeOutlet] = []
    /// Frames of sound, and heads, that have come.
    private(set) var (frames, turns) = (0, 0)

    private final class TakeOutlet {
        private var outlet: TakeTap.Outlet
        init(_ outlet: consuming TakeTap.Outlet) { self.outlet = outlet }

        func read() -> Int {
            while outlet.marks.pop() != nil {}
            let count = min(outlet.frames.available, 640)
            outlet.frames.skip(count)
            return count
        }
    }

    init(_ lines: TakeConnections) {
        taps = lines.taps.take()
        isMotionWanted = lines.isMotionWanted.take()
        heads = lines.heads.take()
        objects = lines.objects.take()
    }

    /// Between two blocks.
    mutating func move(_ block: Int) {
        if block % 97 == 0 {
            let sources: [(TakeSource, Int)] = [(.array, 16), (.ears(0), 2), (.ears(2), 2), (.input, 2), (.processedInput, 2), (.array, 8)]
            let (source, channels) = sources[block / 97 % sources.count]
            if block % 3 == 0 {
                _ = taps.send(.none(source))
            } else {
                let pair = TakeTap.pair(source, channels: channels, capacity: block % 2 == 0 ? 4096 : 256)
                _ = taps.send(pair.tap)
                outlets.append(TakeOutlet(pair.outlet))
            }
        }
        if block % 230 == 0 { isMotionWanted.set(block % 460 == 0) }
        guard block % 11 == 0 else { return }
        for outlet in outlets { frames += outlet.read() }
        while heads.pop() != nil { turns += 1 }
        while objects.pop() != nil {}
        taps.collect()
    }
}
