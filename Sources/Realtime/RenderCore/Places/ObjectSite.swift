/// A sound object in one block, wherever it is heard from.
package struct ObjectSite: BitwiseCopyable, Sendable {
    /// As the object is rendered: in a room always with air and propagation delay.
    package var settings = ObjectSettings()
    /// Metres in the world: front, left, up.
    package var place = SIMD3<Float>(1, 0, 0)

    @_noLocks @_noAllocation
    package init() {}
}
