/// The receivers of a SOFA file as ears.
struct SofaEars {
    /// Distance from the median plane from which a receiver counts as an ear of that side, metres.
    private static let least = 1e-4
    /// True where the first receiver is at the right and the second at the left.
    let areSwapped: Bool
    /// True where the receivers are at both sides of the head.
    let areOpposite: Bool

    /// - Throws: ``SofaRefusal`` if the positions cannot be read. Without positions the left ear is the first.
    init(_ tables: SofaTables) throws(SofaRefusal) {
        guard let variable = try tables.variable("ReceiverPosition"), variable.sizes.prefix(2) == [2, 3],
            !variable.values.isEmpty, variable.values.allSatisfy(\.isFinite)
        else {
            (areSwapped, areOpposite) = (false, false)
            return
        }
        // Receivers, coordinates, and in some files directions, of which the first is taken.
        let step = variable.values.count / 6
        var first = variable
        (first.sizes, first.values) = ([2, 3], (0..<6).map { variable.values[$0 * step] })
        let ears = try SofaPositions(first, "ReceiverPosition", type: "cartesian", directions: 2)
        let (left, right) = (ears.vector(0).y, ears.vector(1).y)
        areSwapped = left < -Self.least && right > Self.least
        areOpposite = areSwapped || left > Self.least && right < -Self.least
    }
}
