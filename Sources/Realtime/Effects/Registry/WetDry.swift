internal import CRealtime
internal import Glibc

/// The law by which a slot mixes an effect with the dry sound, and the initial share. Each effect declares its own.
public struct WetDry: Sendable, Equatable {
    public enum Law: BitwiseCopyable, Sendable {
        /// Amplitudes that add up to 1, for effects whose sound resembles the dry one: a filter, a comb, a distortion.
        case linear
        /// Powers that add up to 1, for effects whose sound is independent of the dry one: echoes, rooms, other pitches.
        case equalPower
    }

    public let law: Law
    /// Initial share of the effect, 0 to 1.
    public let initial: Float
    /// Initial value of the effect's own mix in rack files of version 1, which existed beside that of the slot; nil for an effect without
    /// one.
    public let former: Float?

    public static func linear(_ initial: Float, former: Float? = nil) -> Self {
        .init(law: .linear, initial: initial, former: former)
    }

    public static func equalPower(_ initial: Float, former: Float? = nil) -> Self {
        .init(law: .equalPower, initial: initial, former: former)
    }
}

extension WetDry.Law {
    /// Gain factors of the effect and of the dry sound.
    /// - Parameter share: share of the effect, 0 to 1; at both ends the gains are exactly 0 and 1.
    @_noLocks @_noAllocation
    public func gains(_ share: Float) -> (wet: Float, dry: Float) {
        switch self {
        case .equalPower where share > 0 && share < 1: (rt_sin(share * .pi / 2), rt_cos(share * .pi / 2))
        case .linear, .equalPower: (share, 1 - share)
        }
    }

    /// The share at which effect and dry sound are in the same proportion as at the share `linear` of the linear law.
    public func share(linear: Float) -> Float {
        switch self {
        case .linear: linear
        case .equalPower: linear <= 0 || linear >= 1 ? linear : atan2f(linear, 1 - linear) * 2 / .pi
        }
    }
}
