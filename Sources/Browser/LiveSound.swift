/// Stands in for the type of LiveInputs, which threads write: browsers receive no live sound of objects.
public struct LiveSound: ~Copyable, Sendable {
    @_noLocks @_noAllocation
    mutating func isHeard() -> Bool { false }

    @_noLocks @_noAllocation
    mutating func read(_ row: UnsafeMutablePointer<Float>, frames count: Int) {}

    @_noLocks @_noAllocation
    mutating func pass(frames count: Int, isMuted: Bool) {}
}
