public import Glibc

/// A complex number in double precision, for models and filter design; not for audio.
@frozen
public struct Complex: BitwiseCopyable, Sendable, Equatable {
    public var re: Double
    public var im: Double

    @inlinable
    public init(_ re: Double, _ im: Double = 0) {
        self.re = re
        self.im = im
    }

    /// - Parameter phase: radians.
    @inlinable
    public init(magnitude: Double, phase: Double) {
        self.init(magnitude * cos(phase), magnitude * sin(phase))
    }

    @inlinable public var magnitude: Double { hypot(re, im) }
    /// Radians, -pi to pi.
    @inlinable public var phase: Double { atan2(im, re) }
    /// Twenty times the decimal logarithm of the magnitude.
    @inlinable public var decibels: Double { 20 * log10(magnitude) }

    @inlinable
    public static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }

    @inlinable
    public static func - (a: Complex, b: Complex) -> Complex { Complex(a.re - b.re, a.im - b.im) }

    @inlinable
    public static func * (a: Complex, b: Complex) -> Complex {
        Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
    }

    @inlinable
    public static func * (a: Double, b: Complex) -> Complex { Complex(a * b.re, a * b.im) }

    /// Scaled by the divisor's larger part (Smith 1962), so that neither huge nor tiny divisors overflow.
    @inlinable
    public static func / (a: Complex, b: Complex) -> Complex {
        if abs(b.re) >= abs(b.im) {
            let ratio = b.im / b.re
            let scale = b.re + b.im * ratio
            return Complex((a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale)
        }
        let ratio = b.re / b.im
        let scale = b.re * ratio + b.im
        return Complex((a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale)
    }
}
