package import Binaural

/// The microphone array that sound objects are encoded onto in one block.
package struct EncodedArray: BitwiseCopyable {
    // SAFETY: its owner outlives the block.
    nonisolated(unsafe) let ring: UnsafePointer<RingLookup>
    let encoding: SphereEncodingView
    /// Whether the array is about to be exchanged for another: encoded sound fades out.
    let isLeaving: Bool

    @_noLocks @_noAllocation
    package init(_ ring: UnsafePointer<RingLookup>, _ encoding: SphereEncodingView, isLeaving: Bool = false) {
        self.ring = ring
        self.encoding = encoding
        self.isLeaving = isLeaving
    }
}
