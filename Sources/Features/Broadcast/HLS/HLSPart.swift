/// A part of a segment: one fragment of MP4.
struct HLSPart: Sendable {
    /// Seconds.
    let duration: Double
    let bytes: [UInt8]
}
