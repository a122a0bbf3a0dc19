/// A duration, or a place in a recording: 0 to 86,400 seconds in steps of a millisecond.
struct CueTime: Hashable, CustomStringConvertible {
    let milliseconds: Int

    static let zero = CueTime(milliseconds: 0)
    private static let longest = 86_400_000

    private init(milliseconds: Int) { self.milliseconds = milliseconds }

    /// - Parameter longest: in milliseconds.
    /// - Returns: nil for any other text.
    init?(_ text: some StringProtocol, longest: Int = longest) {
        guard let milliseconds = DecimalText.units(text, decimals: 3), milliseconds <= longest else { return nil }
        self.milliseconds = milliseconds
    }

    var nanoseconds: UInt64 { UInt64(clamping: milliseconds) * 1_000_000 }

    var seconds: Double { Double(milliseconds) / 1000 }

    /// Seconds.
    var description: String { DecimalText.text(milliseconds, decimals: 3) }
}
