internal import Binaural

/// The contents of a SOFA file as responses, every number within its range.
extension HeadResponses {
    /// Largest delay of an ear in seconds, positive or negative.
    private static let longestDelay: Float = 1

    /// - Throws: ``SofaRefusal`` naming what is missing, not used, or out of its range.
    init(_ tables: SofaTables) throws(SofaRefusal) {
        try SofaConvention.check(tables)
        let sound = try SofaSound(tables)
        let directions = try SofaDirections(tables, count: sound.count)
        let delays = try Self.delays(tables, sound)
        let order = try SofaEars(tables).areSwapped ? [1, 0] : [0, 1]
        let ears = order.map { ear -> [Float] in
            (0..<sound.count).flatMap { direction -> ArraySlice<Float> in
                let start = (2 * direction + ear) * sound.length
                return sound.samples[start..<start + sound.length]
            }
        }
        self.init(
            rate: Double(sound.rate), length: sound.length, azimuths: directions.azimuths, elevations: directions.elevations,
            left: ears[0], right: ears[1], delays: order.map { delays[$0] })
    }

    /// The additional delays of both receivers in samples, none if the file has none.
    private static func delays(_ tables: SofaTables, _ sound: SofaSound) throws(SofaRefusal) -> [[Double]] {
        let count = sound.count
        guard let variable = try tables.variable("Data.Delay") else { return .init(repeating: .init(repeating: 0, count: count), count: 2) }
        let scale = variable.units == "s" || variable.units.hasPrefix("second") ? sound.rate : 1
        let values = variable.values.map { scale * $0 }
        try SofaRange.check(values, "a delay", -longestDelay * sound.rate...longestDelay * sound.rate, "samples") {
            "value \($0 + 1) of Data.Delay"
        }
        let steps: (direction: Int, ear: Int)
        switch (variable.sizes(atLeast: 2), values.count) {
        case (_, 1): steps = (0, 0)
        case ([count, 2], 2 * count): steps = (2, 1)
        case (_, 2): steps = (0, 1)
        case ([count, 1], count), ([count], count): steps = (1, 0)
        default:
            throw .unusable(
                "its variable Data.Delay has the sizes \(variable.extent), but must have a delay for each ear, in all or in each of "
                    + "\(counted(count, "direction"))")
        }
        return (0..<2).map { ear in (0..<count).map { Double(values[$0 * steps.direction + ear * steps.ear]) } }
    }
}
