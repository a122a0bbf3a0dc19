/// Note lengths by number: 0 is none, 1 a whole note; from 2 on halves, quarters, eighths and sixteenths, each plain,
/// dotted, and as a triplet.
enum NoteLength {
    /// Factors of plain, dotted and triplet notes.
    private static var shapes: SIMD4<Float> { @_noLocks @_noAllocation get { SIMD4(1, 1.5, 2 / 3, 0) } }

    /// Length in quarter notes.
    @_noLocks @_noAllocation
    static func quarters(_ number: Int) -> Float {
        guard number > 1 else { return number == 1 ? 4 : 0 }
        let plain = 4 / Float(1 << ((number &- 2) / 3 &+ 1))
        return plain * shapes[(number &- 2) % 3]
    }
}
