import Binaural
internal import Synchronization

/// Encodings of spheres that have been computed: those of an array are the same for all its recordings.
enum SphereEncodings {
    /// Number that are kept.
    private static let most = 8
    private static let known = Mutex<[SphereEncoding]>([])

    /// The encoding of a sphere, computed when it is not known.
    ///
    /// - Parameters:
    ///   - radius: metres.
    ///   - rate: frames per second.
    static func encoding(radius: Float, rate: Float) -> SphereEncoding {
        known.withLock { known in
            if let found = known.first(where: { $0.radius == radius && $0.rate == rate }) { return found }
            if known.count == most { known.removeFirst() }
            let encoding = SphereEncoding(radius: radius, rate: rate)
            known.append(encoding)
            return encoding
        }
    }
}
