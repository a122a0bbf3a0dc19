/// The microphone nearest to an ear, with hysteresis and a crossfade.
///
/// The crossfade is linear because adjacent microphones are correlated at low frequencies; weights always add up to 1.
public struct NearestMicrophone: BitwiseCopyable, Sendable {
    /// Distance past the middle between two microphones at which the choice changes, degrees.
    public static var hysteresis: Float { @_noLocks @_noAllocation get { 1 } }
    /// Length of the crossfade, seconds.
    public static var fade: Float { @_noLocks @_noAllocation get { 0.01 } }

    /// The chosen microphone, then those that are being faded out.
    private var channels = SIMD4<Int32>(repeating: -1)
    private var shares = SIMD4<Float>.zero

    @_noLocks @_noAllocation
    public init() {}

    /// Chooses the microphone and advances the crossfade by `seconds`.
    @_noLocks @_noAllocation
    public mutating func advance(_ bracket: Bracket, seconds: Float) {
        let nearer = Int32(truncatingIfNeeded: bracket.fraction < 0.5 ? bracket.lower : bracket.upper)
        guard channels[0] >= 0 else {
            channels[0] = nearer
            shares[0] = 1
            return
        }
        let past = bracket.fraction < 0.5 ? 0.5 - bracket.fraction : bracket.fraction - 0.5
        let isNeighbour =
            channels[0] == Int32(truncatingIfNeeded: bracket.lower)
            || channels[0] == Int32(truncatingIfNeeded: bracket.upper)
        let margin = min(Self.hysteresis * bracket.closeness, 0.25)
        if nearer != channels[0], !isNeighbour || past > margin { choose(nearer) }
        fade(by: min(1, seconds / Self.fade))
    }

    /// Whether a crossfade is in progress.
    private var isLeaving: Bool { @_noLocks @_noAllocation get { shares[0] != 1 } }

    @_noLocks @_noAllocation
    private mutating func choose(_ channel: Int32) {
        // A microphone that is being faded out resumes; otherwise a free place (with share 0) is used, or the quietest
        // one is dropped and its share goes to the new choice.
        var place = 1
        for i in 1..<4 where shares[i] < shares[place] { place = i }
        for i in 1..<4 where channels[i] == channel { place = i }
        let share = shares[place]
        channels[place] = channels[0]
        shares[place] = shares[0]
        channels[0] = channel
        shares[0] = share
    }

    @_noLocks @_noAllocation
    private mutating func fade(by amount: Float) {
        guard isLeaving else { return }
        var left = amount
        var i = 3
        while i > 0 {
            let taken = min(left, shares[i])
            shares[i] -= taken
            shares[0] += taken
            left -= taken
            if shares[i] <= 1e-6 {
                shares[0] += shares[i]
                shares[i] = 0
                channels[i] = -1
            }
            i = i &- 1
        }
        if channels[1] < 0, channels[2] < 0, channels[3] < 0 { shares[0] = 1 }
    }

    /// Adds the microphones and their shares to `taps`, in one band.
    @_noLocks @_noAllocation
    public func add(to taps: inout Taps, _ band: Taps.Band) {
        guard channels[0] >= 0 else { return }
        taps.add(band, Int(channels[0]), shares[0])
        guard isLeaving else { return }
        for i in 1..<4 where channels[i] >= 0 { taps.add(band, Int(channels[i]), shares[i]) }
    }
}
