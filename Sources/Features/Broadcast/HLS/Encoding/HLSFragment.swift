/// Output of the HLS thread, on its way to the control thread.
enum HLSFragment: Sendable {
    /// The initialization segment of a format.
    case initialization(HLSFormat, HLSTiming, bytes: [UInt8])
    /// A part, the next one of its format. `date` is the time of its first sound, seconds since 1970.
    case part(HLSFormat, HLSPart, date: Double)
    /// Frames of lost sound, which silence replaces.
    case lost(frames: Int)
    /// The stream cannot continue.
    case failed(String)
}
