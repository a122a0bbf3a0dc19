/// The memory of one sound object that exists: the line of its propagation delay, which is too large to be kept for all that there may be.
///
/// Made by the control side, handed over to the audio thread and back to be freed when the object was removed.
public struct ObjectPart: ~Copyable, Sendable {
    /// Number of the object, counted from 0.
    package let object: Int
    /// The way of the object's sound.
    var path: ObjectPath

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    public init(object: Int, rate: Float, period: Int) {
        self.object = object
        path = ObjectPath(rate: rate, period: period)
    }
}
