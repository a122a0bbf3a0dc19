/// The moment at which the action of a cue has ended.
enum CueEnd: Equatable {
    /// A time of CLOCK_MONOTONIC, nanoseconds.
    case at(UInt64)
    /// The end of the crossfade.
    case crossfade
    /// The end of the recording, or the moment at which it is stopped.
    case recording
    /// The moment at which the files that the action needs have been read.
    case files
}
