import Numbers
import Testing

@Suite struct DecimalsTests {
    @Test func aDescriptionHasNoMoreDecimals() {
        #expect("\((Double(55_467) / 44_100).rounded(decimals: 3))" == "1.258")
        let sum: Double = -0.1 - 0.2
        #expect("\(sum.rounded(decimals: 4))" == "-0.3")
        #expect(Double(2.5).rounded(decimals: 0) == 3)
        for decimals in 0...9 {
            let text = "\((Double(2) / 3).rounded(decimals: decimals))"
            #expect(text.count <= 2 + max(1, decimals), "\(text)")
        }
    }

    @Test func numbersThatCannotBeScaledStay() {
        let numbers: [Double] = [Double.infinity, 1e308, -1e308, 0]
        for number in numbers { #expect(number.rounded(decimals: 9) == number) }
        #expect(Double.nan.rounded(decimals: 2).isNaN)
    }
}
