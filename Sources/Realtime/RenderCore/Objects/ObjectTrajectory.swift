internal import CRealtime
internal import DSP

/// The path of one object, ready for the renderer: handed over to the audio thread and back to be freed.
public struct ObjectTrajectory: ~Copyable, Sendable {
    /// Number of the object, counted from 0.
    package let object: Int
    /// Whether there is a path.
    package let isThere: Bool
    /// Seconds after which the transport begins again; 0 for never.
    private let lap: Double
    /// Seconds of the transport before the path begins.
    private let delay: Double
    private let centre: SIMD3<Float>
    private let radius: Float
    /// Seconds of a turn, or of all keyframes.
    private let seconds: Double
    /// Turns before the beginning; of a circle.
    private let start: Double
    /// 1 to the left, -1 to the right.
    private let sense: Float
    private let loops: Bool
    /// Number of keyframes; 0 for a circle.
    private let count: Int
    // SAFETY: owned by this value alone, which cannot be copied; written by the initializer only.
    private nonisolated(unsafe) let times: UnsafeMutablePointer<Double>
    // SAFETY: as above.
    private nonisolated(unsafe) let places: UnsafeMutablePointer<SIMD3<Float>>

    /// - Parameters:
    ///   - motion: nil for none: the object is where its parameters say.
    ///   - lap: length of the recording in seconds when it loops; 0 without one.
    ///   - delay: seconds of the transport before the path begins.
    public init(object: Int, motion: ObjectMotion?, lap: Double, delay: Double = 0) {
        self.object = object
        (self.lap, self.delay) = (lap, delay)
        isThere = motion != nil
        var frames: [ObjectMotion.Keyframe] = []
        switch motion {
        case .circle(let centre, let radius, let seconds, let start):
            (self.centre, self.radius, self.seconds, self.start) = (centre, radius, seconds < 0 ? -seconds : seconds, start / 360)
            (sense, loops) = (seconds < 0 ? -1 : 1, true)
        case .keyframes(let given, let loops):
            frames = given
            (centre, radius, start, sense) = (.zero, 0, 0, 1)
            (seconds, self.loops) = (given.last?.time ?? 0, loops)
        case nil:
            (centre, radius, seconds, start, sense, loops) = (.zero, 0, 0, 0, 1, false)
        }
        count = frames.count
        times = .allocate(capacity: max(1, count))
        places = .allocate(capacity: max(1, count))
        for (index, frame) in frames.enumerated() {
            (times + index).initialize(to: frame.time)
            (places + index).initialize(to: frame.place)
        }
    }

    deinit {
        times.deallocate()
        places.deallocate()
    }

    /// The object's place at a time of the transport, metres: front, left, up. Nearer than ``ObjectScene/nearest`` to the centre of the
    /// heads it goes around it, across its motion, so that its direction does not jump.
    @_noLocks @_noAllocation
    package func place(at seconds: Double) -> SIMD3<Float> {
        let time = Self.remainder(max(0, seconds - delay), lap)
        return count == 0 ? circle(time) : line(time)
    }

    @_noLocks @_noAllocation
    private func circle(_ time: Double) -> SIMD3<Float> {
        let turn = Self.remainder(time, seconds) / seconds
        let angle = Float(2 * Double.pi) * Float(Self.remainder(start + 1 + Double(sense) * turn + 1, 1))
        let (cosine, sine) = (rt_cos(angle), rt_sin(angle))
        return Self.around(centre + radius * SIMD3(cosine, sine, 0), motion: SIMD3(0 - sine, cosine, 0))
    }

    @_noLocks @_noAllocation
    private func line(_ time: Double) -> SIMD3<Float> {
        let time = loops ? Self.remainder(time, seconds) : time
        guard time > times[0] else { return Self.around(places[0], motion: .zero) }
        guard time < times[count &- 1] else { return Self.around(places[count &- 1], motion: .zero) }
        var (low, high) = (0, count &- 1)
        while high &- low > 1 {
            let middle = (low &+ high) / 2
            if times[middle] <= time { low = middle } else { high = middle }
        }
        let (from, to) = (places[low], places[high])
        let share = Float((time - times[low]) / (times[high] - times[low]))
        return Self.around(from + (to - from) * share, motion: to - from)
    }

    /// The rest of a time after whole periods; all of it with a period of 0.
    @_noLocks @_noAllocation
    private static func remainder(_ time: Double, _ period: Double) -> Double {
        guard period > 0, time >= period else { return time }
        return max(0, time - period * Double(Int(clamping: time / period)))
    }

    /// Leads a place that is too near to the centre of the heads around it: on an arc of the sphere between the points at which a straight
    /// way through the place enters and leaves it. The direction turns evenly on the arc.
    @_noLocks @_noAllocation
    private static func around(_ place: SIMD3<Float>, motion: SIMD3<Float>) -> SIMD3<Float> {
        let nearest = ObjectScene.nearest
        guard dot(place, place) < nearest * nearest else { return place }
        let speed = rt_sqrt(dot(motion, motion))
        let ahead = speed > 0 ? motion * (1 / speed) : .zero
        let along = dot(place, ahead)
        let side = place - ahead * along
        let passing = rt_sqrt(dot(side, side))
        let half = rt_sqrt(max(0, nearest * nearest - passing * passing))
        let share = speed > 0 && half > 0 ? max(0, min(1, (along + half) / (2 * half))) : 0.5
        // The angle from the motion at which the path leaves the sphere; it enters the sphere at the same angle on the other side.
        let exit = rt_angles4(SIMD4(repeating: passing), SIMD4(repeating: half))[0]
        let angle = .pi - exit + share * (2 * exit - .pi)
        return (ahead * rt_cos(angle) + across(ahead, side, passing) * rt_sin(angle)) * nearest
    }

    /// The side of the heads on which a way passes them; through the middle, always the same one.
    @_noLocks @_noAllocation
    private static func across(_ ahead: SIMD3<Float>, _ side: SIMD3<Float>, _ passing: Float) -> SIMD3<Float> {
        if passing > 1e-3 { return side * (1 / passing) }
        var across = SIMD3<Float>(0, 0, 1) - ahead * ahead[2]
        if dot(across, across) < 0.2 { across = SIMD3<Float>(1, 0, 0) - ahead * ahead[0] }
        return across * (1 / rt_sqrt(dot(across, across)))
    }

    @_noLocks @_noAllocation
    private static func dot(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { a[0] * b[0] + a[1] * b[1] + a[2] * b[2] }
}
