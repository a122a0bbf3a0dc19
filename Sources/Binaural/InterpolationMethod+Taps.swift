extension InterpolationMethod {
    /// What an ear at `bracket` is made of, by this method.
    @_noLocks @_noAllocation
    public func taps(_ bracket: Bracket, nearest: NearestMicrophone, into taps: inout Taps) {
        switch self {
        case .nearest: Self.nearest(nearest, &taps)
        case .linear: Self.linear(bracket, .full, &taps)
        case .twoBand: Self.twoBand(bracket, nearest, &taps)
        }
    }

    /// The forms in which this method needs the scene.
    public var bands: UInt8 {
        @_noLocks @_noAllocation get {
            switch self {
            case .nearest, .linear: 1 << 0
            case .twoBand: 1 << 1 | 1 << 2
            }
        }
    }
}
