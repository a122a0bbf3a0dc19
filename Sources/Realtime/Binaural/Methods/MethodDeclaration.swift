/// Names and needs of a method.
struct MethodDeclaration {
    /// Name used by clients and the command line.
    let name: StaticString
    /// Name for listeners, on the page on which they choose a method.
    let title: StaticString
    /// Name of earlier releases that is still accepted; nil for none.
    let formerName: StaticString?
    /// Bands of the scene that the method uses.
    let bands: BandSet
    /// Further bands for an ear above or below the ring's plane.
    var elevationBands = BandSet()
    /// Crossover between the method's two bands; nil when it has one band.
    var crossover: Crossover?
    /// Frames in which the method works, which determine its latency.
    var frame = MethodFrame.none
    /// Method that is used while this one has no filters yet; nil where it needs none.
    var standIn: InterpolationMethod?

    @_noLocks @_noAllocation
    init(
        _ name: StaticString, _ title: StaticString, formerName: StaticString? = nil, _ bands: BandSet,
        elevationBands: BandSet = BandSet(), crossover: Crossover? = nil, frame: MethodFrame = .none,
        standIn: InterpolationMethod? = nil
    ) {
        self.name = name
        self.title = title
        self.formerName = formerName
        self.bands = bands
        self.elevationBands = elevationBands
        self.crossover = crossover
        self.frame = frame
        self.standIn = standIn
    }
}
