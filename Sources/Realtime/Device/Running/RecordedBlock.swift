/// Sound that a device has recorded for the block that is rendered next.
struct RecordedBlock {
    /// The live input; nil when there is none.
    var input: (left: UnsafePointer<Float>, right: UnsafePointer<Float>)?
    /// Interleaved frames of a live array; nil when there is none.
    var array: (samples: UnsafePointer<Float>, channels: Int)?
    /// Time at which the first frame was at the converter, CLOCK_MONOTONIC nanoseconds.
    var time: UInt64
}
