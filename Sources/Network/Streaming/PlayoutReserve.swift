/// Sound buffered between a sender's packets and playback: enough for late packets, and no more. All times are milliseconds.
public struct PlayoutReserve: Sendable {
    /// Treatment of a packet.
    public enum Step: Equatable, Sendable {
        case play
        /// This much silence has to be inserted first, because packets were late or playback starts.
        case fill(Double)
        /// Too much sound is buffered: this packet's sound is left out.
        case leaveOut
        /// Too much has waited for some time: a packet is to be left out, a quiet one unless it is urgent.
        case shorten(isUrgent: Bool)
    }

    /// Range of the reserve for late packets, beyond the sound that is always needed.
    static let reserves = 8.0...120.0
    /// Surplus over the target above which packets are left out, and the surplus at which that ends.
    private static let surplus = (most: 60.0, end: 20.0)
    /// Surplus over the target that is too much when it lasts for the whole window, the window, and the time after which leaving out a
    /// packet is urgent.
    private static let excess = (sound: 20.0, window: 200.0, urgent: 600.0)
    /// Time without a late packet after which the reserve becomes smaller.
    private static let calm = 8000.0
    /// Time without packets after which the next one starts again.
    private static let pause = 1000.0

    /// Sound that is always needed just before a packet arrives.
    private let floor: Double
    /// Sound that the player takes at once.
    private let block: Double
    public private(set) var reserve = Self.reserves.lowerBound
    /// Packets that came too late.
    public private(set) var late = 0
    private var latest: Double?
    private var calmSince = 0.0
    private var isLeavingOut = false
    /// Least sound that has been buffered, and the time since which it is measured.
    private var least = (sound: Double.infinity, since: 0.0)
    private var tooMuchSince: Double?

    public init(floor: Double, block: Double) {
        self.floor = floor
        self.block = block
    }

    /// Sound that should be buffered just before a packet arrives.
    public var target: Double { floor + block + reserve }

    /// Notes a packet.
    ///
    /// - Parameter waiting: sound that is buffered just before it.
    public mutating func take(waiting: Double, now: Double) -> Step {
        let isBeginning = latest.map { now - $0 > Self.pause } ?? true
        latest = now
        if isBeginning { reserve = Self.reserves.lowerBound }
        if waiting < floor {
            if !isBeginning {
                late += 1
                reserve = min(Self.reserves.upperBound, 1.5 * reserve + 2)
            }
            (calmSince, isLeavingOut) = (now, false)
            shortened(now)
            return .fill(target - waiting)
        }
        if isBeginning {
            calmSince = now
            shortened(now)
        }
        isLeavingOut = waiting > target + (isLeavingOut ? Self.surplus.end : Self.surplus.most)
        if isLeavingOut { return .leaveOut }
        if now - calmSince > Self.calm {
            reserve = max(Self.reserves.lowerBound, 0.85 * reserve)
            calmSince = now
        }
        watch(waiting, now)
        return tooMuchSince.map { .shorten(isUrgent: now - $0 > Self.excess.urgent) } ?? .play
    }

    /// Notes that a packet was left out.
    public mutating func shortened(_ now: Double) { (least, tooMuchSince) = ((.infinity, now), nil) }

    private mutating func watch(_ waiting: Double, _ now: Double) {
        least.sound = min(least.sound, waiting)
        guard now - least.since > Self.excess.window else { return }
        tooMuchSince = least.sound > target + Self.excess.sound ? tooMuchSince ?? now : nil
        least = (.infinity, now)
    }
}

/// Sound that a sender may send: as much as passes in real time, with some tolerance for its clock and for packets that come together.
/// All times are milliseconds.
public struct SoundBudget: Sendable {
    /// Sound that may come at once.
    static let burst = 500.0
    /// Sound per time.
    static let speed = 1.05
    /// Sound that has to be left after a refusal, so that one gap is heard instead of many short ones.
    static let margin = 60.0

    private var left = Self.burst
    private var isShort = false
    private var latest: Double?

    public init() {}

    /// Whether this amount of sound may be received now; it is deducted from the budget then.
    public mutating func take(_ duration: Double, now: Double) -> Bool {
        if let latest { left = min(Self.burst, left + Self.speed * max(0, now - latest)) }
        latest = now
        isShort = left < (isShort ? max(duration, Self.margin) : duration)
        if !isShort { left -= duration }
        return !isShort
    }
}
