extension ElevationDesign {
    /// Returns the design for a spacing. A browser has one renderer, which keeps its design.
    static func shared(spacing: Double) -> ElevationDesign { ElevationDesign(spacing: spacing) }
}
