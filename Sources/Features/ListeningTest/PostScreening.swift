/// The rule for excluding a participant's ratings (ITU-R BS.1534-3, section 4.1.2): the hidden reference was rated below 90 in over 15 % of
/// the trials.
public struct PostScreening: Sendable, Equatable {
    public static let lowest = 90.0
    public static let share = 0.15

    /// Rated trials, without the training, and those whose hidden reference was rated below ``lowest``.
    public let rated: Int
    public let low: Int

    public var isFlagged: Bool { Double(low) > Self.share * Double(rated) }

    /// - Parameter hiddenReferences: ratings of the hidden reference.
    public init(_ hiddenReferences: [Double]) {
        rated = hiddenReferences.count
        low = hiddenReferences.count { $0 < Self.lowest }
    }
}
