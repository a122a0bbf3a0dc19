/// Destination of the sound of a ``FileDevice``. Used by one thread at a time, which may wait for the disk.
public protocol FrameSink: AnyObject {
    /// - Parameter interleaved: `frames` frames of as many channels as the device has.
    func write(_ interleaved: UnsafePointer<Float>, frames: Int) throws

    /// Completes the output; called once, after the last frame. If it is not called, no output should remain.
    func finish() throws
}
