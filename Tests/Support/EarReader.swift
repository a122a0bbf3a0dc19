public import Crossing

/// Reads the sound of one listener.
public final class EarReader {
    private var ears: FrameRing.Consumer
    private var pairs = [Float](repeating: 0, count: 2 * 4096)

    public init(_ ears: consuming FrameRing.Consumer) { self.ears = ears }

    public func read() -> ArraySlice<Float> {
        let count = pairs.withUnsafeMutableBufferPointer { ears.read($0.baseAddress!, frames: 4096) }
        return pairs[..<(2 * count)]
    }
}
