/// Where the sound of a ``FileDevice`` goes. Used by one thread at a time, which may wait for the disk.
public protocol FrameSink: AnyObject {
    /// - Parameter interleaved: `frames` times left, right.
    func write(_ interleaved: UnsafePointer<Float>, frames: Int) throws

    /// Called once, after the last frame; without it nothing should remain.
    func finish() throws
}
