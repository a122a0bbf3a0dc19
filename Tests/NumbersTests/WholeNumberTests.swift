import Numbers
import Testing

/// The bounds of each type, by the standard library's `init(exactly:)`, which neither of the two uses.
struct WholeNumberTests {
    private static let numbers: [Double] =
        [
            0, -0.0, 0.9, -0.9, 1, -1, 254.5, 255, 255.9, 256, -128, -128.9, -129, 1e9, 2_147_483_647, 2_147_483_648, -2_147_483_649,
            4_294_967_296,
            0x1p53, 0x1p62, 0x1p63, 0x1.fffffffffffffp62, 0x1.8p63, 0x1.fffffffffffffp63, 0x1p64, -0x1p63, -0x1.0000000000001p63, -0x1p64,
            1e30, -1e30,
            .infinity, -.infinity, .nan, .signalingNaN, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ]

    private func check<Whole: FixedWidthInteger>(_: Whole.Type, _ number: Double) {
        let whole = Whole(exactly: number.rounded(.towardZero))
        #expect(Whole(checked: number) == whole)
        let nearest: Whole = number.isNaN ? 0 : number < 0 ? .min : .max
        #expect(Whole(clamping: number) == whole ?? nearest)
        // Rounding to Float may leave the range: the oracle sees the rounded number too.
        let single = Float(number)
        #expect(Whole(checked: single) == Whole(exactly: single.rounded(.towardZero)))
    }

    @Test(arguments: numbers) func wholePart(of number: Double) {
        check(Int.self, number)
        check(Int64.self, number)
        check(Int32.self, number)
        check(Int16.self, number)
        check(Int8.self, number)
        check(UInt.self, number)
        check(UInt64.self, number)
        check(UInt32.self, number)
        check(UInt16.self, number)
        check(UInt8.self, number)
    }
}
