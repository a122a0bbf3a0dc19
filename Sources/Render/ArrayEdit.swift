public import Binaural

/// Another idea of where the microphones of the recording are and what is done to their signals, while it plays.
///
/// The scene crossfades to it. It holds for the recordings that follow as well, until one comes with a later version.
public struct ArrayEdit: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied; at one address as long as it lives.
    nonisolated(unsafe) let ring: UnsafeMutablePointer<RingLookup>
    let version: Int64

    /// - Parameter version: rises with every edit and every recording's own array.
    public init(_ ring: consuming RingLookup, version: Int64) {
        self.ring = .allocate(capacity: 1)
        self.ring.initialize(to: ring)
        self.version = version
    }

    deinit {
        ring.deinitialize(count: 1)
        ring.deallocate()
    }
}
