/// Lengths of notes, by number: 0 is none, 1 a whole note; from 2 on halves, quarters, eighths and sixteenths, each
/// plain, dotted, and of a triplet.
enum NoteLength {
    /// What comes after the whole note.
    private static var shapes: SIMD4<Float> { @_noLocks @_noAllocation get { SIMD4(1, 1.5, 2 / 3, 0) } }

    /// Quarter notes that it lasts.
    @_noLocks @_noAllocation
    static func quarters(_ number: Int) -> Float {
        guard number > 1 else { return number == 1 ? 4 : 0 }
        let plain = 4 / Float(1 << ((number &- 2) / 3 &+ 1))
        return plain * shapes[(number &- 2) % 3]
    }
}
