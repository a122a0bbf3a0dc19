/// Where an object stands, both ways: in the house's parameters, and in ADM-OSC's Cartesian words.
///
/// What was said in Cartesian words stays as it was said, though the parameters have a shortest distance: x, y and z that
/// come one after the other lead to where all three together lead.
struct ADMPlace: Equatable {
    /// Degrees, positive to the left.
    private(set) var azimuth: Float
    /// Degrees, positive up.
    private(set) var elevation: Float
    /// Metres.
    private(set) var distance: Float
    private(set) var position: ADMPosition
    /// Metres.
    private let unit: Float
    /// Metres, of the distance parameter.
    private let distances: ClosedRange<Float>

    /// - Parameters:
    ///   - unit: metres that a distance of 1 means, above 0.
    ///   - distances: metres that the distance may have.
    init(azimuth: Float, elevation: Float, distance: Float, unit: Float, distances: ClosedRange<Float>) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.distance = distance
        self.unit = unit
        self.distances = distances
        position = ADMPosition(azimuth: azimuth, elevation: elevation, distance: Double(distance) / Double(unit))
    }

    /// In unit distances; above 1 for what is farther than ADM-OSC can say.
    var share: Float { distance / unit }

    /// Whether the parameters are the same, whatever was said.
    func agrees(with other: ADMPlace) -> Bool {
        azimuth == other.azimuth && elevation == other.elevation && distance == other.distance && unit == other.unit
    }

    /// Goes to where polar words lead; nil leaves one as it is.
    ///
    /// - Parameters:
    ///   - azimuth, elevation: degrees.
    ///   - share: in unit distances.
    mutating func go(azimuth: Float? = nil, elevation: Float? = nil, share: Float? = nil) {
        self = ADMPlace(
            azimuth: azimuth ?? self.azimuth, elevation: elevation ?? self.elevation,
            distance: share.map(metres) ?? distance, unit: unit, distances: distances)
    }

    /// Goes to where Cartesian words lead. Where those leave a direction open, at the origin and straight above and below, it
    /// stays as it was.
    mutating func go(to position: ADMPosition) {
        self.position = position
        azimuth = position.azimuth ?? azimuth
        elevation = position.elevation ?? elevation
        distance = metres(Float(position.distance))
    }

    /// Nothing of ADM-OSC's range is wrong, so that what this engine cannot have is silently the nearest that it can.
    private func metres(_ share: Float) -> Float {
        min(max(share * unit, distances.lowerBound), distances.upperBound)
    }
}
