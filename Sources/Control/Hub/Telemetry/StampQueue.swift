internal import Crossing
internal import RenderInterface

/// Stamps of the poses that one thread has rendered.
final class StampQueue {
    private var stamps: Ring<LatencyStamp>.Consumer

    init(_ stamps: consuming Ring<LatencyStamp>.Consumer) { self.stamps = stamps }

    func pop() -> LatencyStamp? { stamps.pop() }
}
