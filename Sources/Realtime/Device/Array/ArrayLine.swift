public import Crossing
public import Render

/// A feed's other ends, for the thread that records a live array with its own clock.
public struct ArrayLine: ~Copyable, Sendable {
    var frames: FrameRing.Producer
    var stamps: Latest<LiveStamp>.Writer
    var readings: Latest<LiveReading>.Reader

    /// - Parameters:
    ///   - frames: receives interleaved frames at the engine's rate.
    ///   - stamps: receives the newest frame, counted from the first, and the time at which it was at the converter.
    ///   - readings: frames that the renderer has used, and when.
    public init(
        frames: consuming FrameRing.Producer, stamps: consuming Latest<LiveStamp>.Writer, readings: consuming Latest<LiveReading>.Reader
    ) {
        self.frames = frames
        self.stamps = stamps
        self.readings = readings
    }
}
