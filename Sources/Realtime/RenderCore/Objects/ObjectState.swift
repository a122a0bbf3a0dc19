internal import CRealtime
internal import DSP

/// State of one object from block to block.
struct ObjectState: ~Copyable {
    // SAFETY: given by `ObjectScene.take(_:)`; this value alone holds it until it returns it. Nil while the object does not exist.
    nonisolated(unsafe) var part: UnsafeMutablePointer<ObjectPart>?
    var voice = ObjectVoice()
    /// Share of the sound that came from all around at the end of the last block.
    private var spread: Float = 0
    /// Share that is encoded onto the array.
    private(set) var encoded = EncodedShare()
    /// The wall between the object and the listeners.
    var muffle = WallMuffle()
    /// Azimuth and elevation in degrees, and their direction.
    private var place = (angles: SIMD2<Float>.zero, direction: SIMD3<Float>(1, 0, 0))

    // SAFETY: a renderer ends on the control side, which may free what is left.
    deinit {
        part?.deinitialize(count: 1)
        part?.deallocate()
    }

    /// Direction of an object, a unit vector.
    @_noLocks @_noAllocation
    mutating func direction(_ settings: ObjectSettings) -> SIMD3<Float> {
        let angles = SIMD2(settings.azimuth, settings.elevation)
        if place.angles != angles {
            let (azimuth, elevation) = (angles[0] * .pi / 180, angles[1] * .pi / 180)
            let flat = rt_cos(elevation)
            place = (angles, SIMD3(flat * rt_cos(azimuth), flat * rt_sin(azimuth), rt_sin(elevation)))
        }
        return place.direction
    }

    /// Advances the share that is encoded.
    ///
    /// - Parameters:
    ///   - isEncoded: whether the object is to be heard through the array.
    ///   - isFresh: whether the object was inaudible in the block before.
    ///   - tail: frames for which listeners hear the object after its end.
    @_noLocks @_noAllocation
    mutating func encode(_ isEncoded: Bool, isFresh: Bool, tail: Int, _ block: Block) {
        encoded.advance(to: isEncoded ? 1 : 0, isFresh: isFresh, tail: tail, block: block)
    }

    /// Advances the share that comes from all around.
    /// - Returns: the share over the block; nil when nothing comes from all around.
    @_noLocks @_noAllocation
    mutating func spread(to wanted: Float, isFresh: Bool, _ block: Block) -> Ramp? {
        let before = isFresh ? wanted : spread
        guard before != 0 || wanted != 0 else { return nil }
        spread = Smoother.next(before, to: wanted, share: block.gainShare, tolerance: 1e-4)
        return Ramp(from: before, to: spread, frames: block.frames)
    }
}
