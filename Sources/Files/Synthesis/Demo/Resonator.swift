internal import Glibc

extension Demo {
    /// A two-pole resonator with gain 1 at 0 Hz: one formant (Klatt, JASA 67(3), 1980).
    struct Resonator {
        private var a = 1.0
        private var b = 0.0
        private var c = 0.0
        private var last = 0.0
        private var beforeLast = 0.0

        /// - Parameters:
        ///   - frequency: Hz.
        ///   - bandwidth: Hz, at half power.
        init(_ frequency: Double, bandwidth: Double) { tune(frequency, bandwidth: bandwidth) }

        mutating func tune(_ frequency: Double, bandwidth: Double) {
            let radius = exp(-.pi * bandwidth / Double(Demo.rate))
            c = -radius * radius
            b = 2 * radius * cos(2 * .pi * frequency / Double(Demo.rate))
            a = 1 - b - c
        }

        mutating func process(_ input: Double) -> Double {
            let output = a * input + b * last + c * beforeLast
            beforeLast = last
            last = output
            return output
        }

        /// A band-pass with gain of about 1 at its frequency and zeros at 0 Hz and at half the rate.
        mutating func band(_ input: Double) -> Double {
            let older = beforeLast
            beforeLast = last
            last = input + b * last + c * older
            return (1 + c) / 2 * (last - older)
        }
    }
}
