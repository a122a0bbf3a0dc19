#if hasFeature(Embedded)
extension ElevationDesign {
    /// Returns the design for a spacing. A browser has one renderer, which keeps its design.
    static func shared(spacing: Double) -> ElevationDesign { ElevationDesign(spacing: spacing) }
}
#else
internal import Synchronization

/// The designs used last, since most arrays have the same radius and rate.
private let known = Mutex<[(spacing: Double, design: ElevationDesign)]>([])

extension ElevationDesign {
    /// Returns the design for a spacing; computes it unless it is one of the last ones.
    static func shared(spacing: Double) -> ElevationDesign {
        if let design = known.withLock({ $0.first { $0.spacing == spacing }?.design }) { return design }
        let design = ElevationDesign(spacing: spacing)
        known.withLock { $0 = [(spacing, design)] + $0.prefix(7) }
        return design
    }
}
#endif
