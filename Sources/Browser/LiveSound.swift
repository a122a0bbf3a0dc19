/// Live sound of an object, which browsers have not.
public struct LiveSound: ~Copyable, Sendable {
    @_noLocks @_noAllocation
    mutating func isHeard() -> Bool { false }

    @_noLocks @_noAllocation
    mutating func read(_ row: UnsafeMutablePointer<Float>, frames count: Int) {}

    @_noLocks @_noAllocation
    mutating func pass(frames count: Int, isMuted: Bool) {}
}
