import DSP
import Foundation
import Testing

/// A delay that moves while it is read, against the formula of a sine whose time is shifted.
@Suite struct RampedDelayTests {
    static let past = 160

    /// Reads a sine in blocks, and returns the largest error against the formula.
    /// - Parameter delay: samples at the end of a frame.
    func error(_ frequency: Double, block: Int, _ delay: (Int) -> Double) -> Double {
        let reader = RampedDelay()
        let count = 12_000
        let turn = 2 * Double.pi * frequency / 48_000
        let input = (0..<count + 64).map { Float(sin(turn * Double($0 - Self.past))) }
        var output = [Float](repeating: 0, count: block + 16)
        var present = Float(delay(-1))
        var worst = 0.0
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var first = 0
                while first + block < count - Self.past {
                    let next = Float(delay(first + block - 1))
                    present = reader.read(
                        input.baseAddress! + Self.past + first, output.baseAddress!, frames: block, from: present, to: next)
                    #expect(present == next)
                    for i in 0..<block {
                        // A straight line within a block.
                        let share = Double(i + 1) / Double(block)
                        let late = (1 - share) * delay(first - 1) + share * delay(first + block - 1)
                        let exact = sin(turn * (Double(first + i) - late))
                        worst = max(worst, abs(Double(output[i]) - exact))
                    }
                    first += block
                }
            }
        }
        return worst
    }

    @Test(arguments: [16, 64, 100])
    func aTurningHeadLeavesNothingBesideATone(_ block: Int) {
        // 0.002 samples a frame, up and down.
        let moving: (Int) -> Double = { 40 + 10 * asin(sin(Double($0) * 0.0002 * .pi / 2)) / (.pi / 2) }
        #expect(error(4000, block: block, moving) < 1e-4)
        #expect(error(8000, block: block, moving) < 3e-4)
    }

    @Test func aDelayAtRestIsExact() { #expect(error(15_000, block: 64) { _ in 33.37 } < 2e-4) }

    /// Whole samples are crossed, in both directions.
    @Test func aFastChangeIsFollowed() { #expect(error(500, block: 48) { 50 + 25 * sin(Double($0) / 200) } < 4e-3) }
}
