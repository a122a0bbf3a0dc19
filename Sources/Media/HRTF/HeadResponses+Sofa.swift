internal import Binaural
internal import CSofa

/// The contents of a SOFA file as responses, every number within its range.
extension HeadResponses {
    /// Directions, and samples of a response.
    private static let sizes = 1...65_536
    private static let rates: ClosedRange<Float> = 8_000...768_000
    /// Azimuths and elevations in degrees.
    private static let largestAngle: Float = 360
    /// Seconds by which an ear may be late or early.
    private static let longestDelay: Float = 1

    /// - Throws: ``MediaError`` naming a number that is out of its range.
    init(_ file: sofa_contents, _ path: String) throws(MediaError) {
        let (count, length) = (Int(file.directions), Int(file.samples))
        guard file.ears == 2, Self.sizes.contains(count), Self.sizes.contains(length) else {
            throw MediaError(
                "\(path) does not have an impulse response for each of two ears in every direction: \(counted(count, "direction")), "
                    + "\(counted(Int(file.ears), "ear")), \(counted(length, "sample")); directions and samples may be 1 to "
                    + "\(Self.sizes.upperBound)."
            )
        }
        var rest = UnsafeBufferPointer(start: file.values, count: file.count)[...]
        func values(_ number: Int) -> [Float] {
            let taken = Array(rest.prefix(number))
            rest = rest.dropFirst(number)
            return taken
        }
        let sound = values(count * 2 * length)
        let places = values(3 * count)
        let (rates, delays) = (values(Int(file.rates)), values(Int(file.delays)))
        guard rest.isEmpty, sound.count == count * 2 * length, places.count == 3 * count, let rate = rates.first else {
            throw MediaError("\(path) is damaged: its tables do not have the sizes that it announces. Copy it again.")
        }
        func check(_ what: String, _ values: some Sequence<Float>, _ range: ClosedRange<Float>, _ unit: String) throws(MediaError) {
            guard let wrong = values.first(where: { !range.contains($0) }) else { return }
            throw MediaError(
                "\(path) is damaged: \(what) is \(wrong) \(unit), but must be \(range.lowerBound) to \(range.upperBound). "
                    + "Use another file.")
        }
        func around(_ limit: Float) -> ClosedRange<Float> { -limit...limit }
        try check("its sampling rate", [rate], Self.rates, "Hz")
        try check("a sample", sound, around(SampleLimit.largest), "(linear)")
        try check("an azimuth", (0..<count).lazy.map { places[3 * $0] }, around(Self.largestAngle), "degrees")
        try check("an elevation", (0..<count).lazy.map { places[3 * $0 + 1] }, around(Self.largestAngle), "degrees")
        try check("a delay", delays, around(Self.longestDelay * rate), "samples")
        let ears = (0..<2).map { ear -> [Float] in
            (0..<count).flatMap { direction -> ArraySlice<Float> in
                let start = (2 * direction + ear) * length
                return sound[start..<start + length]
            }
        }
        let late = (0..<2).map { ear in
            (0..<count).map { direction -> Double in
                switch delays.count {
                case 2 * count: Double(delays[2 * direction + ear])
                case 2: Double(delays[ear])
                default: 0
                }
            }
        }
        self.init(
            rate: Double(rate), length: length, azimuths: (0..<count).map { Double(places[3 * $0]) },
            elevations: (0..<count).map { Double(places[3 * $0 + 1]) }, left: ears[0], right: ears[1], delays: late)
    }
}
