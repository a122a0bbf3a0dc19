internal import Binaural
internal import CRealtime
internal import DSP

/// Directions of the microphones that objects are encoded onto, just before a block and at its end. When an array is described
/// otherwise, they are ramped to their new places.
struct EncodedMicrophones: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. Degrees at the end of the last block.
    private nonisolated(unsafe) let azimuths: UnsafeMutablePointer<Float>
    // SAFETY: as above. Cosine and sine of the azimuth before the block, and at its end.
    nonisolated(unsafe) let places: UnsafeMutablePointer<SIMD4<Float>>
    private(set) var count = 0
    /// Whether any of them moves in the current block.
    private(set) var isMoving = false

    init() {
        azimuths = .allocate(capacity: MicrophoneArray.capacity)
        azimuths.initialize(repeating: 0, count: MicrophoneArray.capacity)
        places = .allocate(capacity: MicrophoneArray.capacity)
        places.initialize(repeating: SIMD4(1, 0, 1, 0), count: MicrophoneArray.capacity)
    }

    deinit {
        azimuths.deallocate()
        places.deallocate()
    }

    /// Begins a block.
    ///
    /// - Parameters:
    ///   - isOther: whether the microphones are at their places at once.
    ///   - share: part of the whole ramp that the block covers.
    @_noLocks @_noAllocation
    mutating func follow(_ ring: borrowing RingLookup, isOther: Bool, share: Float) {
        count = ring.channels
        isMoving = false
        for channel in 0..<count {
            let wanted = ring.azimuth(channel)
            let before = isOther ? wanted : azimuths[channel]
            let way = wrapDegrees(wanted - before)
            let now = abs(way) < 1e-3 ? wanted : before + max(-180 * share, min(180 * share, way))
            guard isOther || now != before || places[channel].lowHalf != places[channel].highHalf else { continue }
            azimuths[channel] = now
            if now != before { isMoving = true }
            places[channel] = SIMD4(lowHalf: isOther ? Self.direction(now) : places[channel].highHalf, highHalf: Self.direction(now))
        }
    }

    @_noLocks @_noAllocation
    private static func direction(_ azimuth: Float) -> SIMD2<Float> {
        SIMD2(rt_cos(azimuth * .pi / 180), rt_sin(azimuth * .pi / 180))
    }
}
