internal import CRealtime
internal import DSP

/// Settings of one sound object for one block.
package struct ObjectSettings: BitwiseCopyable, Sendable {
    /// Degrees, positive to the left.
    package var azimuth: Float
    /// Degrees, positive up.
    package var elevation: Float
    /// Metres.
    package var distance: Float
    /// Level at the end of the block, a factor; 0 while muted.
    package var gain: Float
    /// Distance at which ``gain`` is the level heard, metres.
    package var reference: Float = 1
    /// Radius within which the level rises no further and the sound comes from all around, metres; 0 for none.
    package var bubble: Float = 0
    /// Share of the air's absorption: 0 or 1.
    package var air: Float = 0
    /// Share of the propagation delay: 0 or 1.
    package var doppler: Float = 0
    /// Share of the figure of eight in the directivity: 0 for a sphere, 0.5 for a cardioid, 1 for a figure of eight.
    package var directivity: Float = 0
    /// Direction of the object's front in the world: yaw, positive to the left, and pitch, positive up, in degrees.
    package var yaw: Float = 0
    package var pitch: Float = 0
    /// Whether the object is encoded onto the array, for all listeners at once, instead of being rendered for each.
    package var isEncoded = false
    /// Whether the object was removed, or has not been added.
    package var isAbsent = false

    @_noLocks @_noAllocation
    package init(azimuth: Float = 0, elevation: Float = 0, distance: Float = 1, gain: Float = 1) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.distance = distance
        self.gain = gain
    }

    /// Puts the object at a place in the world, metres: front, left, up.
    @_noLocks @_noAllocation
    package mutating func move(to place: SIMD3<Float>) {
        let flat = rt_sqrt(place[0] * place[0] + place[1] * place[1])
        distance = rt_sqrt(flat * flat + place[2] * place[2])
        let angles = ArcTangent.angles(y: SIMD2(place[1], place[2]), x: SIMD2(place[0], flat)) * (180 / .pi)
        (azimuth, elevation) = (angles[0], angles[1])
    }

    /// Level at the heads without air and directivity, a factor.
    var level: Float {
        @_noLocks @_noAllocation get {
            gain == 0 ? 0 : gain * reference / max(max(ObjectScene.nearest, bubble), distance)
        }
    }

    /// Level at the heads against that at 1 m, without air and directivity, a factor.
    var falloff: Float { @_noLocks @_noAllocation get { 1 / max(max(ObjectScene.nearest, bubble), distance) } }

    /// Level at 1 m without air and directivity, a factor.
    var strength: Float { @_noLocks @_noAllocation get { gain * reference } }

    /// Share of the sound that comes from all around: all of it within half of the bubble's radius.
    var spread: Float {
        @_noLocks @_noAllocation get { bubble > 0 ? max(0, min(1, 2 - 2 * distance / bubble)) : 0 }
    }
}
