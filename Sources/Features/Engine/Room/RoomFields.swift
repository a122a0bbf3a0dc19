import Session

/// The members of an object in the description of a room.
typealias RoomFields = DescriptionFields<RoomError>

extension DescriptionFields where Failure == RoomError {
    /// Three numbers, which are required.
    ///
    /// - Parameters:
    ///   - range: of each.
    ///   - what: what they are, for errors.
    func vector(_ name: String, _ range: ClosedRange<Float>, _ what: String) throws(RoomError) -> SIMD3<Float> {
        let values = try numbers(name, in: Double(range.lowerBound)...Double(range.upperBound))
        guard values.count == 3 else { throw fault(name, "has \(values.count) numbers; expected three \(what)") }
        return SIMD3(Float(values[0]), Float(values[1]), Float(values[2]))
    }
}
