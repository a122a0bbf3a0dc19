/// Writes a stereo sound file and measures what is written. Not thread-safe and not realtime-safe.
public final class MeasuredWriter {
    private let writer: SoundWriter
    private let meter: LoudnessMeter

    /// - Parameter writer: of two channels.
    public init(_ writer: SoundWriter) throws(MediaError) {
        self.writer = writer
        meter = try LoudnessMeter(rate: writer.rate)
    }

    /// Levels of everything that was written.
    public var loudness: Loudness { meter.loudness }

    /// - Parameter interleaved: `frames` stereo frames.
    public func write(_ interleaved: UnsafePointer<Float>, frames: Int) throws(MediaError) {
        try meter.add(interleaved, frames: frames)
        try writer.write(interleaved, frames: frames)
    }

    public func finish() throws(MediaError) { try writer.finish() }
}
