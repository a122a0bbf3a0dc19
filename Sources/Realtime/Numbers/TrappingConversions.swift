// The standard library's conversions, which trap at NaN, at infinities and outside the range, are hidden by these. Every module sees
// them without an import (`strict` in Package.swift), so that using one does not compile: warnings are errors.

extension Int {
    @available(*, deprecated, message: "traps: write Int(checked:) for numbers from outside, Int(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write Int(checked:) for numbers from outside, Int(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension Int8 {
    @available(*, deprecated, message: "traps: write Int8(checked:) for numbers from outside, Int8(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write Int8(checked:) for numbers from outside, Int8(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension Int16 {
    @available(*, deprecated, message: "traps: write Int16(checked:) for numbers from outside, Int16(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write Int16(checked:) for numbers from outside, Int16(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension Int32 {
    @available(*, deprecated, message: "traps: write Int32(checked:) for numbers from outside, Int32(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write Int32(checked:) for numbers from outside, Int32(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension Int64 {
    @available(*, deprecated, message: "traps: write Int64(checked:) for numbers from outside, Int64(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write Int64(checked:) for numbers from outside, Int64(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension UInt {
    @available(*, deprecated, message: "traps: write UInt(checked:) for numbers from outside, UInt(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write UInt(checked:) for numbers from outside, UInt(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension UInt8 {
    @available(*, deprecated, message: "traps: write UInt8(checked:) for numbers from outside, UInt8(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write UInt8(checked:) for numbers from outside, UInt8(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension UInt16 {
    @available(*, deprecated, message: "traps: write UInt16(checked:) for numbers from outside, UInt16(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write UInt16(checked:) for numbers from outside, UInt16(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension UInt32 {
    @available(*, deprecated, message: "traps: write UInt32(checked:) for numbers from outside, UInt32(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write UInt32(checked:) for numbers from outside, UInt32(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension UInt64 {
    @available(*, deprecated, message: "traps: write UInt64(checked:) for numbers from outside, UInt64(clamping:) for others")
    @inlinable public init(_ value: Float) { self.init(clamping: value) }
    @available(*, deprecated, message: "traps: write UInt64(checked:) for numbers from outside, UInt64(clamping:) for others")
    @inlinable public init(_ value: Double) { self.init(clamping: value) }
}

extension BinaryInteger {
    @available(*, deprecated, message: "traps: write Int(checked:) for numbers from outside, Int(clamping:) for others")
    @inlinable public init<Number: BinaryFloatingPoint>(_ value: Number) { self = Self(truncatingIfNeeded: Int(clamping: Double(value))) }
}
