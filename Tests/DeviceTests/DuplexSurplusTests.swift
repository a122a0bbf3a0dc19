import Testing

@testable import Device

@Suite struct DuplexSurplusTests {
    /// A permanent surplus is dropped once, block by block; bursts are ignored.
    @Test(arguments: [(300, 4), (64, 1), (63, 0), (0, 0)])
    func aPermanentSurplusIsDropped(_ frames: Int, _ blocks: Int) {
        var surplus = DuplexSurplus()
        var (waiting, shed) = (frames, 0)
        for block in 0..<2000 {
            let burst = block % 7 == 0 ? 500 : 0
            if surplus.shedsBlock(waiting + burst, period: 64) {
                waiting -= 64
                shed += 1
            }
        }
        #expect(shed == blocks)
    }
}
