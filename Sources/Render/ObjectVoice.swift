internal import CRealtime

/// The sound of one object, as it comes: from memory, round and round, or from the live input; crossfaded to another one
/// and to another place, faded in and out with the transport.
struct ObjectVoice: ~Copyable {
    /// What is common to all objects in a block.
    struct Moment: BitwiseCopyable {
        let frames: Int
        /// Where the sounds are, frames from where all of them began.
        let place: Int64
        /// Of what plays with the transport: before the first frame, and at the last.
        let level: (from: Float, to: Float)
        /// What a crossfade walks in this block.
        let fadeShare: Float
        let input: InputView?
        /// Room for a block.
        let spare: UnsafeMutablePointer<Float>

        @_noLocks @_noAllocation
        init(
            frames: Int, place: Int64, level: (from: Float, to: Float), fadeShare: Float, input: InputView?,
            spare: UnsafeMutablePointer<Float>
        ) {
            self.frames = frames
            self.place = place
            self.level = level
            self.fadeShare = fadeShare
            self.input = input
            self.spare = spare
        }
    }

    // SAFETY: what the handover lent; this value alone holds these three, and they are given back.
    private nonisolated(unsafe) var sound: UnsafeMutablePointer<ObjectSound>?
    private nonisolated(unsafe) var leaving: UnsafeMutablePointer<ObjectSound>?
    private nonisolated(unsafe) var coming: UnsafeMutablePointer<ObjectSound>?
    /// Frames of `sound` and `leaving` that come next.
    private var place = 0
    private var leavingPlace = 0
    /// Of `sound` in what is heard; the rest is `leaving`.
    private var share: Float = 1
    private(set) var gain: Float = 0
    /// Frames of silence that are still to be heard out.
    var tail = 0

    /// Takes another sound.
    /// - Returns: one that nobody will hear.
    @_noLocks @_noAllocation
    mutating func take(_ next: UnsafeMutablePointer<ObjectSound>) -> UnsafeMutablePointer<ObjectSound>? {
        let skipped = coming
        coming = next
        return skipped
    }

    /// Which channel of the live input it sounds, counted from 0; negative for none.
    var channel: Int { @_noLocks @_noAllocation get { sound?.pointee.channel ?? -1 } }

    /// Whether there is anything to hear in this block; what nobody hears is exchanged at once.
    /// - Parameter wanted: the gain that is set.
    @_noLocks @_noAllocation
    func isHeard(_ moment: Moment, wanted: Float) -> Bool {
        guard gain > 0 || wanted > 0 else { return false }
        return isHeard(sound, moment) || isHeard(leaving, moment) || isHeard(coming, moment)
    }

    @_noLocks @_noAllocation
    private func isHeard(_ sound: UnsafeMutablePointer<ObjectSound>?, _ moment: Moment) -> Bool {
        guard let sound else { return false }
        if sound.pointee.channel >= 0 { return moment.input != nil }
        return sound.pointee.frames > 0 && (moment.level.from > 0 || moment.level.to > 0)
    }

    /// A block that nobody hears.
    /// - Returns: what is not needed any more.
    @_noLocks @_noAllocation
    mutating func rest(_ moment: Moment, gain wanted: Float) -> UnsafeMutablePointer<ObjectSound>? {
        gain = wanted
        if let done = settle() { return done }
        guard let next = coming else {
            place = Self.place(moment, sound)
            return nil
        }
        coming = nil
        let old = sound
        sound = next
        place = Self.place(moment, next)
        return old
    }

    /// Ends a crossfade.
    /// - Returns: what is not needed any more.
    @_noLocks @_noAllocation
    private mutating func settle() -> UnsafeMutablePointer<ObjectSound>? {
        share = 1
        guard let old = leaving else { return nil }
        leaving = nil
        return old == sound ? nil : old
    }

    /// Writes a block, its gain walking to `wanted`.
    /// - Returns: what is not needed any more.
    @_noLocks @_noAllocation
    mutating func fill(
        _ row: UnsafeMutablePointer<Float>, _ moment: Moment, wanted: Float, gainShare: Float
    ) -> UnsafeMutablePointer<ObjectSound>? {
        if sound == nil { gain = wanted }
        begin(moment)
        Self.read(sound, &place, into: row, moment)
        var done: UnsafeMutablePointer<ObjectSound>?
        if share < 1 {
            Self.read(leaving, &leavingPlace, into: moment.spare, moment)
            let reached = min(1, share + moment.fadeShare)
            let step = (reached - share) / Float(moment.frames)
            for i in 0..<moment.frames {
                let part = share + step * Float(i &+ 1)
                row[i] = moment.spare[i] + (row[i] - moment.spare[i]) * part
            }
            share = reached
            if share >= 1 { done = settle() }
        }
        let before = gain
        gain += (wanted - gain) * gainShare
        // -100 dB of the way.
        if abs(wanted - gain) < 1e-5 { gain = wanted }
        let step = (gain - before) / Float(moment.frames)
        for i in 0..<moment.frames { row[i] *= before + step * Float(i &+ 1) }
        return done
    }

    /// Begins a crossfade, when there is a reason and none on its way.
    @_noLocks @_noAllocation
    private mutating func begin(_ moment: Moment) {
        guard share >= 1 else { return }
        let now = Self.place(moment, coming ?? sound)
        if moment.level.from == 0, coming == nil { place = now }
        guard coming != nil || place != now else { return }
        // A sound that begins where nothing was needs no fade, and is as loud as it is to be.
        let isBeginning = sound == nil && now == 0
        (leaving, leavingPlace) = (sound, place)
        if let next = coming { sound = next }
        coming = nil
        place = now
        share = isBeginning ? 1 : 0
    }

    @_noLocks @_noAllocation
    private static func place(_ moment: Moment, _ sound: UnsafeMutablePointer<ObjectSound>?) -> Int {
        guard let sound, sound.pointee.frames > 0 else { return 0 }
        return Int(moment.place % Int64(sound.pointee.frames))
    }

    @_noLocks @_noAllocation
    private static func read(
        _ sound: UnsafeMutablePointer<ObjectSound>?, _ place: inout Int, into row: UnsafeMutablePointer<Float>,
        _ moment: Moment
    ) {
        let frames = moment.frames
        guard let sound else { return rt_zero(row, frames) }
        if sound.pointee.channel >= 0 {
            guard let input = moment.input else { return rt_zero(row, frames) }
            return rt_copy(row, sound.pointee.channel == 0 ? input.left : input.right, frames)
        }
        let length = sound.pointee.frames
        let (from, to) = moment.level
        guard length > 0, from > 0 || to > 0 else { return rt_zero(row, frames) }
        var done = 0
        while done < frames {
            let count = min(frames &- done, length &- place)
            rt_copy(row + done, sound.pointee.samples + place, count)
            done = done &+ count
            place = place &+ count == length ? 0 : place &+ count
        }
        guard from != 1 || to != 1 else { return }
        let step = (to - from) / Float(frames)
        for i in 0..<frames { row[i] *= from + step * Float(i &+ 1) }
    }

    /// Whatever it holds, to be given back at the end; nil when that is all.
    mutating func release() -> UnsafeMutablePointer<ObjectSound>? {
        if let old = settle() ?? coming ?? sound {
            if old == coming { coming = nil }
            if old == sound { sound = nil }
            return old
        }
        return nil
    }
}
