/// Packets of sound by their result.
package struct VoiceCounts: Sendable {
    /// Packets that were decoded.
    var heard = 0
    /// Packets that cannot be decoded, or are longer than any.
    var refused = 0
    /// Packets beyond real time, or beyond the delay that is wanted.
    var leftOut = 0
    /// Packets before which sound was missing.
    var late = 0

    static func + (left: Self, right: Self) -> Self {
        Self(
            heard: left.heard + right.heard, refused: left.refused + right.refused, leftOut: left.leftOut + right.leftOut,
            late: left.late + right.late)
    }
}
