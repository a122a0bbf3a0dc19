package import DSP

/// Ears of the sound objects in one block: measured filters or the sphere, or a crossfade from one to the other.
package struct ObjectHRTFChoice: BitwiseCopyable {
    // SAFETY: held by the caller while the value is in use. Nil is the sphere.
    package nonisolated(unsafe) var current: UnsafeMutablePointer<ObjectHRTF>?
    // SAFETY: as above.
    package nonisolated(unsafe) var leaving: UnsafeMutablePointer<ObjectHRTF>?
    /// Share of `current`, and that at the block's end; the rest is `leaving`.
    package var share = Ramp(from: 1, step: 0)
    package var reached: Float = 1

    @_noLocks @_noAllocation
    package init() {}

    /// Whether there are measured filters.
    var isMeasured: Bool { @_noLocks @_noAllocation get { isMeasured(current) || (share.from < 1 && isMeasured(leaving)) } }

    /// Whether the sphere is heard.
    var hasSphere: Bool { @_noLocks @_noAllocation get { !isMeasured(current) || (share.from < 1 && !isMeasured(leaving)) } }

    @_noLocks @_noAllocation
    private func isMeasured(_ hrtf: UnsafeMutablePointer<ObjectHRTF>?) -> Bool {
        guard let hrtf else { return false }
        return !hrtf.pointee.isSphere
    }
}
