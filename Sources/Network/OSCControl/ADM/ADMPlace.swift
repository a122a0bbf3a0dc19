/// Position of an object, both as parameter values and in ADM-OSC's Cartesian coordinates.
///
/// A Cartesian position is kept as received, although the distance parameter has a minimum, so that x, y and z
/// received one by one give the same position as all three in one message.
struct ADMPlace: Equatable {
    /// Azimuth in degrees, positive to the left.
    private(set) var azimuth: Float
    /// Elevation in degrees, positive up.
    private(set) var elevation: Float
    /// Metres.
    private(set) var distance: Float
    private(set) var position: ADMPosition
    /// Metres.
    private let unit: Float
    /// Range of the distance parameter in metres.
    private let distances: ClosedRange<Float>

    /// - Parameters:
    ///   - unit: metres of a distance of 1, above 0.
    ///   - distances: range of the distance in metres.
    init(azimuth: Float, elevation: Float, distance: Float, unit: Float, distances: ClosedRange<Float>) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.distance = distance
        self.unit = unit
        self.distances = distances
        position = ADMPosition(azimuth: azimuth, elevation: elevation, distance: Double(distance) / Double(unit))
    }

    /// Distance in unit distances; above 1 beyond ADM-OSC's range.
    var share: Float { distance / unit }

    /// Returns whether the parameter values are the same.
    func agrees(with other: ADMPlace) -> Bool {
        azimuth == other.azimuth && elevation == other.elevation && distance == other.distance && unit == other.unit
    }

    /// Moves to polar coordinates; nil leaves a coordinate unchanged.
    ///
    /// - Parameters:
    ///   - azimuth, elevation: degrees.
    ///   - share: in unit distances.
    mutating func move(azimuth: Float? = nil, elevation: Float? = nil, share: Float? = nil) {
        self = ADMPlace(
            azimuth: azimuth ?? self.azimuth, elevation: elevation ?? self.elevation,
            distance: share.map(metres) ?? distance, unit: unit, distances: distances)
    }

    /// Moves to Cartesian coordinates. Where these leave the direction undefined, at the origin and straight above and below,
    /// it stays unchanged.
    mutating func move(to position: ADMPosition) {
        self.position = position
        azimuth = position.azimuth ?? azimuth
        elevation = position.elevation ?? elevation
        distance = metres(Float(position.distance))
    }

    /// Returns a distance in metres, clamped without a report because every value in ADM-OSC's range is valid.
    private func metres(_ share: Float) -> Float {
        min(max(share * unit, distances.lowerBound), distances.upperBound)
    }
}
