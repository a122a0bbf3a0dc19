import Testing
import Trust

@Suite struct PairingOffersTests {
    let second: UInt64 = 1_000_000_000

    @Test func aCodeIsValidOnce() {
        var offers = PairingOffers()
        let (one, other) = (offers.make(.view, now: 0), offers.make(.control, now: 0))
        #expect(one != other && one.count == 32)
        #expect(offers.redeem(one, now: second) == .accepted(.view))
        #expect(offers.redeem(one, now: second) == .spent)
        #expect(offers.redeem(other, now: second) == .accepted(.control))
        #expect(offers.redeem(other, now: second) == .spent)
        for wrong in ["", "0", String(one.dropLast()), one.uppercased() + "0", one + "0"] {
            #expect(offers.redeem(wrong, now: second) == .unknown, "\(wrong)")
        }
    }

    @Test func aCodeExpiresAfterFiveMinutes() {
        var offers = PairingOffers()
        let (early, late) = (offers.make(.control, now: 7 * second), offers.make(.control, now: 7 * second))
        #expect(offers.redeem(early, now: 306 * second) == .accepted(.control))
        #expect(offers.redeem(late, now: 307 * second) == .ended)
        #expect(offers.redeem(late, now: 7 * second) == .ended)
    }

    @Test func theSeventeenthCodeReplacesTheFirst() {
        var offers = PairingOffers()
        let codes = (0..<17).map { _ in offers.make(.control, now: 0) }
        #expect(offers.redeem(codes[0], now: 1) == .ended)
        for code in codes.dropFirst() { #expect(offers.redeem(code, now: 1) == .accepted(.control)) }
    }
}
