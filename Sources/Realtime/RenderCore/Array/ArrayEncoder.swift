internal import Binaural
internal import CRealtime
internal import DSP

/// Encodes sound objects onto a virtual microphone array, once for all listeners: every sound arrives at each microphone with the delay
/// and through the filter of a rigid sphere for the angle between the two.
///
/// The filters of all angles are sums of the same few, so that a sound costs a delay and a few weights at each microphone, and the
/// filters run once for all sounds. Costs nothing while no object is encoded.
package struct ArrayEncoder: ~Copyable, Sendable {
    /// Length of fades at changes of the array, seconds.
    private static var fade: Float { @_noLocks @_noAllocation get { SmoothingTime.crossfade } }
    /// Time for which the array is decoded after the last sound: longer than any method takes, seconds.
    private static var hold: Float { @_noLocks @_noAllocation get { 0.3 } }

    private let fractions = FractionalTap()
    /// For each microphone the input of each filter, with its past.
    private let sums: Rows
    private let outputs: Rows
    /// A sound with its past, and the same delayed.
    private let input: Rows
    private let delayed: Rows
    // SAFETY: the four are owned by this value alone, which cannot be copied. For each sound its last samples, and its direction.
    private nonisolated(unsafe) let pasts: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let directions: UnsafeMutablePointer<SIMD3<Float>>
    // SAFETY: as above. Rows and weights of a delay that passes whole samples.
    private nonisolated(unsafe) let rows: UnsafeMutablePointer<UnsafePointer<Float>>
    // SAFETY: as above.
    private nonisolated(unsafe) let weights: UnsafeMutablePointer<Float>
    private var microphones = EncodedMicrophones()
    private var encoding: SphereEncodingView?
    private let past: Int
    private let longest: Int
    private let rate: Float
    private var level: Float = 1
    private var ramp = Ramp(from: 1, step: 0)
    private var lastFrames = 0
    /// Whether the current block holds a sound.
    private var isOpen = false
    /// Frames until the filters are silent, and until the array is no longer decoded.
    private var tail = 0
    private var held = 0

    /// - Parameters:
    ///   - places: number of sounds; 0 where nothing is encoded.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    init(places: Int, rate: Float, period: Int) {
        self.rate = rate
        let isUsed = places > 0
        past = roundedToLanes(SphereShadow.longestDelay(rate: rate) + FractionalTap.count)
        longest = roundedToLanes(SphereEncodingView.longest(rate: rate))
        sums = Rows(rows: isUsed ? MicrophoneArray.capacity * SphereEncodingView.terms : 0, length: longest + period)
        outputs = Rows(rows: isUsed ? MicrophoneArray.capacity : 0, length: period)
        input = Rows(rows: 1, length: past + period)
        delayed = Rows(rows: 1, length: period)
        pasts = .allocate(capacity: places * past)
        directions = .allocate(capacity: places)
        rows = .allocate(capacity: past + FractionalTap.count)
        weights = .allocateAligned(2 * (past + 2 * laneCount))
    }

    deinit {
        pasts.deallocate()
        directions.deallocate()
        rows.deallocate()
        weights.deallocate()
    }

    /// Whether there is an array to encode onto.
    var hasArray: Bool { @_noLocks @_noAllocation get { encoding != nil } }
    /// Whether the array is to be decoded in the current block.
    package var isHeard: Bool { @_noLocks @_noAllocation get { held > 0 } }
    /// Whether encoded sound is still audible in full or in part.
    package var isSounding: Bool { @_noLocks @_noAllocation get { tail > 0 && level > 0 } }

    /// Begins a block.
    ///
    /// - Parameter array: nil when there is none.
    @_noLocks @_noAllocation
    mutating func begin(_ array: EncodedArray?, block: Block) {
        isOpen = false
        guard let array else {
            (encoding, tail, held) = (nil, 0, 0)
            return
        }
        let isOther = encoding?.isSame(as: array.encoding) != true || array.ring.pointee.channels != microphones.count
        if isOther {
            // Begins from silence, faded in where something sounded before.
            level = tail > 0 ? 0 : 1
            tail = 0
        }
        encoding = array.encoding
        let share = block.seconds / Self.fade
        microphones.follow(array.ring.pointee, isOther: isOther, share: share)
        let wanted: Float = array.isLeaving ? 0 : 1
        let reached = tail > 0 || isOther ? Ramp.approach(wanted, from: level, step: share) : wanted
        ramp = Ramp(from: tail > 0 || isOther ? level : wanted, to: reached, frames: block.frames)
        level = reached
    }

    /// Encodes a block of a sound.
    ///
    /// - Parameters:
    ///   - place: number of the sound.
    ///   - row: with the samples before the block, as far as they are used.
    ///   - direction: unit vector towards it at the block's end, in the world.
    ///   - share: level over the block.
    ///   - isFresh: whether the sound begins with this block.
    @_noLocks @_noAllocation
    mutating func encode(
        _ place: Int, _ row: UnsafePointer<Float>, _ direction: SIMD3<Float>, share: Ramp, isFresh: Bool, frames: Int
    ) {
        guard let encoding else { return }
        if !isOpen { open(frames) }
        let (begin, kept) = (input.row(0), pasts + place &* past)
        let joins = share.from == 0
        if isFresh { rt_zero(begin, past) } else { rt_copy(begin, joins ? row - past : UnsafePointer(kept), past) }
        rt_copy(begin + past, row, roundedToLanes(frames))
        rt_copy(kept, begin + frames, past)
        let before = isFresh || joins ? direction : directions[place]
        directions[place] = direction
        let from = share.from * ramp.from
        let to = share.value(at: frames &- 1) * ramp.value(at: frames &- 1)
        let isMoving = before != direction || microphones.isMoving
        let places = microphones.places
        for channel in 0..<microphones.count {
            let azimuth = places[channel]
            let cosines = SIMD2(
                azimuth[0] * before[0] + azimuth[1] * before[1], azimuth[2] * direction[0] + azimuth[3] * direction[1])
            let (a, b) = encoding.places(cosines: isMoving ? cosines : SIMD2(repeating: cosines[1]))
            delay(from: a[SphereEncodingView.terms], to: b[SphereEncodingView.terms], frames: frames)
            SpreadSum.add(
                delayed.row(0), from: a * from, to: b * to, frames: frames,
                onto: sums.row(channel &* SphereEncodingView.terms) + longest, stride: sums.stride)
        }
    }

    /// Delays the input.
    @_noLocks @_noAllocation
    private func delay(from before: Float, to now: Float, frames: Int) {
        let (first, last) = (Int(rt_whole(before)), Int(rt_whole(now)))
        let begin = input.row(0) + past
        let (from, to) = (fractions.weights(before - Float(first)), fractions.weights(now - Float(last)))
        guard first != last else { return DelayedRow.process(begin - first, from: from, to: to, frames: frames, output: delayed.row(0)) }
        let nearest = first < last ? first : last
        let span = (first < last ? last : first) &- nearest &+ FractionalTap.count
        let target = weights + (past &+ 2 &* laneCount)
        rt_zero(weights, span)
        rt_zero(target, span)
        for tap in 0..<span { rows[tap] = UnsafePointer(begin - (nearest &+ tap)) }
        for tap in 0..<FractionalTap.count {
            weights[first &- nearest &+ tap] = from[tap]
            target[last &- nearest &+ tap] = to[tap]
        }
        RampedMix.process(rows: rows, from: weights, to: target, count: span, frames: frames, output: delayed.row(0))
    }

    /// Prepares the sums for a block.
    @_noLocks @_noAllocation
    private mutating func open(_ frames: Int) {
        for row in 0..<microphones.count &* SphereEncodingView.terms {
            let begin = sums.row(row)
            if tail > 0 { rt_move(begin, begin + lastFrames, longest) } else { rt_zero(begin, longest) }
            rt_zero(begin + longest, roundedToLanes(frames))
        }
        lastFrames = frames
        isOpen = true
    }

    /// Ends the input of a block.
    @_noLocks @_noAllocation
    mutating func finish(_ frames: Int) {
        if isOpen {
            tail = longest &+ frames
            held = Int(rt_whole(Self.hold * rate)) &+ frames
        } else if held > 0 {
            if tail > 0 { open(frames) }
            held = max(0, held &- frames)
        }
    }

    /// Adds the microphones' signals of the block.
    ///
    /// - Parameter samples: interleaved microphone signals.
    @_noLocks @_noAllocation
    package mutating func add(to samples: UnsafeMutablePointer<Float>, frames: Int) {
        guard let encoding, tail > 0 else { return }
        let channels = microphones.count
        for channel in 0..<channels {
            let output = outputs.row(channel)
            rt_zero(output, roundedToLanes(frames))
            for term in 0..<SphereEncodingView.terms {
                let begin = sums.row(channel &* SphereEncodingView.terms &+ term) + (longest &- encoding.length &+ 1)
                StridedFilter.process(
                    begin, stride: 1, taps: encoding.filter(term), count: encoding.length, frames: frames, output: delayed.row(0))
                RampedSum.add(delayed.row(0), from: 1, to: 1, frames: frames, onto: output)
            }
            for frame in 0..<frames { samples[frame &* channels &+ channel] += output[frame] }
        }
        tail = max(0, tail &- frames)
    }
}
