/// The moment at which the action of a cue has ended.
enum CueEnd: Equatable {
    /// A time of CLOCK_MONOTONIC, nanoseconds.
    case at(UInt64)
    /// The end of the crossfade.
    case crossfade
    /// The end of the recording, or its being stopped.
    case recording
    /// The reading of files.
    case files
}
