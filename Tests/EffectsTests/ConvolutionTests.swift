import DSP
import Effects
import Foundation
import TestSupport
import Testing

@Suite struct ConvolutionTests {
    /// Direct convolution.
    func convolved(_ x: [Float], _ h: [Float]) -> [Float] {
        var y = [Double](repeating: 0, count: x.count)
        for (n, sample) in x.enumerated() where sample != 0 {
            for k in 0..<min(h.count, x.count - n) { y[n + k] += Double(sample) * Double(h[k]) }
        }
        return y.map(Float.init)
    }

    static func difference(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).map { abs($0 - $1) }.max()! }

    @Test(arguments: [(1, 64), (100, 64), (128, 128), (700, 37), (2048, 512), (2500, 1000), (6000, 64), (14_000, 480)])
    func isConvolution(_ length: Int, _ block: Int) {
        let response = Sound.noise(length, level: 0.1, seed: 3)
        var convolution = Convolution(
            rate: 48_000, largestBlock: block, left: response.left, right: response.right)
        let settings = Convolution.Settings()
        var input = Sound.silence(20_000)
        var random = SeededRandom(fixed: 5)
        for n in stride(from: 0, to: 20_000, by: 391) {
            input.left[n] = random.within(-1...1)
            input.right[n] = random.within(-1...1)
        }
        let output = convolution.run(input, block: block, settings)
        let (left, right) = (convolved(input.left, response.left), convolved(input.right, response.right))
        let worst = max(Self.difference(output.left, left), Self.difference(output.right, right))
        #expect(worst < 1e-5)
    }

    /// Four paths, each side heard at both; blocks of any size.
    @Test(arguments: [(100, 64), (700, 37), (6000, 512)])
    func trueStereoIsFourConvolutions(_ length: Int, _ block: Int) {
        let (own, cross) = (Sound.noise(length, level: 0.1, seed: 3), Sound.noise(length - 7, level: 0.1, seed: 4))
        let response = ResponseSpectra(left: own.left, right: own.right, leftToRight: cross.left, rightToLeft: cross.right, ownLevel: 0.25)
        for (level, factor) in [(Float(0), Float(1)), (1, 0.25)] {
            var settings = Convolution.Settings()
            settings.level = level
            var convolution = Convolution(rate: 48_000, largestBlock: block, settings: settings, response: response)
            var input = Sound.silence(10_000)
            var random = SeededRandom(fixed: 5)
            for n in stride(from: 0, to: 10_000, by: 391) {
                (input.left[n], input.right[n]) = (random.within(-1...1), random.within(-1...1))
            }
            let output = convolution.run(input, block: block, settings)
            let left = zip(convolved(input.left, own.left), convolved(input.right, cross.right)).map { ($0 + $1) * factor }
            let right = zip(convolved(input.right, own.right), convolved(input.left, cross.left)).map { ($0 + $1) * factor }
            let worst = max(Self.difference(output.left, left), Self.difference(output.right, right))
            #expect(worst < 1e-5)
        }
    }

    @Test func withoutAResponseItIsSilent() {
        var convolution = Convolution(rate: 48_000, largestBlock: 64)
        #expect(convolution.run(Sound.noise(1000), Convolution.Settings()).left.allSatisfy { $0 == 0 })
    }
}
