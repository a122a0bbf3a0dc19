public import CRealtime

/// Conversions from floating-point numbers to integers, the only ones in the program. They do not trap.
///
/// All drop the fraction: 2.9 becomes 2, -2.9 becomes -2.
extension FixedWidthInteger {
    /// Converts a number from outside, such as from a file, a packet or an argument.
    /// - Returns: nil for NaN, an infinity, or a whole part out of this type's range.
    @inlinable
    public init?(checked value: Double) {
        guard value >= -0x1p63, value < 0x1p64 else { return nil }
        if value >= 0x1p63 { self.init(exactly: rt_unsigned(value)) } else { self.init(exactly: rt_signed(value)) }
    }

    /// Converts a number from outside, such as from a file, a packet or an argument.
    /// - Returns: nil for NaN, an infinity, or a whole part out of this type's range.
    @inlinable
    public init?(checked value: Float) { self.init(checked: Double(value)) }

    /// Converts to the nearest integer of this type's range, 0 for NaN: for numbers whose range is known, also on the audio thread.
    @inlinable
    public init(clamping value: Double) {
        if value >= 0x1p63 { self.init(clamping: rt_unsigned(value)) } else { self.init(clamping: rt_signed(value)) }
    }

    /// Converts to the nearest integer of this type's range, 0 for NaN: for numbers whose range is known, also on the audio thread.
    @inlinable
    public init(clamping value: Float) { self.init(clamping: Double(value)) }
}
