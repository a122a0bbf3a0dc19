/// A recorded block of a live array, or the reason why there is none.
enum ArrayBlock {
    /// As many frames as a block has, in the order of the microphones, and the time at which the frame after them is at the converter.
    case frames(UnsafePointer<Float>, end: UInt64)
    /// A gap, after which blocks follow.
    case gap
    case nothing
    case failure(DeviceError)
}
