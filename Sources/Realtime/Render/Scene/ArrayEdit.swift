public import Binaural

/// New places and calibration of the recording's microphones, applied while it plays.
///
/// The scene crossfades to it. It applies to later recordings as well, until one arrives with a later version.
public struct ArrayEdit: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied; its address does not change.
    nonisolated(unsafe) let ring: UnsafeMutablePointer<RingLookup>
    let version: Int64
    private let owner: SphereEncoding
    /// Encoding of sound objects onto the array.
    let encoding: SphereEncodingView

    /// Version of the array that objects are encoded onto without a recording.
    public static let standardVersion: Int64 = -1
    /// The array that objects are encoded onto without a recording: sixteen microphones on a sphere of 8.75 cm.
    public static var standard: MicrophoneArray { .uniform(count: 16) }

    /// - Parameter version: rises with every edit and with every recording's own array.
    public init(_ ring: consuming RingLookup, version: Int64) {
        owner = SphereEncodings.encoding(radius: ring.radius, rate: ring.rate)
        encoding = owner.view
        self.ring = .allocate(capacity: 1)
        self.ring.initialize(to: ring)
        self.version = version
    }

    deinit {
        ring.deinitialize(count: 1)
        ring.deallocate()
    }
}
