import Crossing
import Render
import RenderInterface

/// The consumer of takes in a benchmark: receives the sound and the motion that takes keep in memory, and discards it.
final class RecordedTake {
    private final class Source {
        var outlet: TakeTap.Outlet

        init(_ outlet: consuming TakeTap.Outlet) { self.outlet = outlet }

        func empty() {
            outlet.frames.skip(outlet.frames.available)
            while outlet.marks.pop() != nil {}
        }
    }

    /// Frames that fit, of the size that a pre-roll has: more than the caches hold.
    static let capacity = 1 << 19
    private var taps: Handover<TakeTap>.Control
    private var heads: Ring<TakeHead>.Consumer
    private var objects: Ring<TakeObject>.Consumer
    private let isMotionWanted: Switch.Control
    private var sources: [Source] = []

    /// - Parameter channels: number of channels by source.
    init(_ lines: TakeConnections, channels: [TakeSource: Int]) {
        taps = lines.taps.take()
        heads = lines.heads.take()
        objects = lines.objects.take()
        isMotionWanted = lines.isMotionWanted.take()
        isMotionWanted.set(!channels.isEmpty)
        for (source, channels) in channels {
            let pair = TakeTap.pair(source, channels: channels, capacity: Self.capacity)
            _ = taps.send(pair.tap)
            sources.append(Source(pair.outlet))
        }
    }

    /// Drains the rings.
    func empty() {
        for source in sources { source.empty() }
        while heads.pop() != nil {}
        while objects.pop() != nil {}
    }
}
