import Glibc
import TestSupport
import Testing

@testable import DSP

@Suite struct FourierTransformTests {
    /// A transform with its two buffers.
    struct Bench: ~Copyable {
        let transform: FourierTransform
        let time: UnsafeMutablePointer<Float>
        let spectrum: UnsafeMutablePointer<Float>

        init(_ count: Int) {
            transform = FourierTransform(count: count)
            time = UnsafeMutablePointer<Float>.allocateAligned(count)
            spectrum = UnsafeMutablePointer<Float>.allocateAligned(count + 2)
        }

        deinit {
            time.deallocate()
            spectrum.deallocate()
        }

        func decibels(_ bin: Int) -> Double {
            Complex(Double(spectrum[2 * bin]), Double(spectrum[2 * bin + 1])).decibels
        }
    }

    @Test(arguments: [64, 1024, 4096, 480])
    func cosineIsOneBin(_ count: Int) {
        let bench = Bench(count)
        let bin = 7
        for n in 0..<count { bench.time[n] = Float(cos(2 * Double.pi * Double(bin * n) / Double(count) + 0.4)) }
        bench.transform.forward(bench.time, into: bench.spectrum)
        let level = bench.decibels(bin) - 20 * log10(Double(count) / 2)
        let phase = Complex(Double(bench.spectrum[2 * bin]), Double(bench.spectrum[2 * bin + 1])).phase
        #expect(abs(level) < 1e-4)
        #expect(abs(phase - 0.4) < 1e-5)
        for other in 0..<bench.transform.bins where other != bin {
            #expect(bench.decibels(other) - bench.decibels(bin) < -115)
        }
    }

    @Test(arguments: [2, 64, 1024, 16384])
    func inverseTransformScalesByTheLength(_ count: Int) {
        let bench = Bench(count)
        var random = SeededRandom(fixed: 1)
        let signal = (0..<count).map { _ in Float(random.white()) }
        for n in 0..<count { bench.time[n] = signal[n] }
        bench.transform.forward(bench.time, into: bench.spectrum)
        let kept = (0..<count).allSatisfy { bench.time[$0] == signal[$0] }
        #expect(kept, "forward keeps its input")
        bench.transform.inverse(bench.spectrum, into: bench.time)
        let worst = (0..<count).map { abs(bench.time[$0] / Float(count) - signal[$0]) }.max()!
        #expect(worst < 1e-6)
    }

    @Test func agreesWithTheSum() {
        let count = 48
        let bench = Bench(count)
        for n in 0..<count { bench.time[n] = Float((n * n) % 17) / 8 - 1 }
        bench.transform.forward(bench.time, into: bench.spectrum)
        for k in 0..<bench.transform.bins {
            var sum = Complex(0)
            for n in 0..<count {
                sum =
                    sum
                    + Complex(
                        magnitude: Double(bench.time[n]), phase: -2 * .pi * Double(k * n) / Double(count))
            }
            #expect(abs(sum.re - Double(bench.spectrum[2 * k])) < 1e-5)
            #expect(abs(sum.im - Double(bench.spectrum[2 * k + 1])) < 1e-5)
        }
    }

    /// FFTW's planner is not thread-safe: without the lock this crashes.
    @Test func plansMayBeMadeAnywhere() async {
        let sums = await withTaskGroup(of: Float.self, returning: [Float].self) { group in
            for index in 0..<32 {
                group.addTask {
                    let bench = Bench(64 << (index % 5))
                    bench.time[0] = 1
                    bench.transform.forward(bench.time, into: bench.spectrum)
                    return bench.spectrum[2 * (index % 30)]
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums.count == 32 && sums.allSatisfy { $0 == 1 })
    }

    /// A thread that asks for a known length does not wait for FFTW's planner.
    @Test func transformsOfOneLengthSharePlans() {
        let first = FourierPlans.shared(count: 6144)
        #expect(FourierPlans.shared(count: 6144) === first)
        #expect(FourierPlans.shared(count: 6146) !== first)
    }

    /// A program that meets many lengths does not keep all of them; transforms keep their own plans.
    @Test func plansOfManyLengthsAreNotKept() {
        let bench = Bench(6146)
        weak let first: FourierPlans? = FourierPlans.shared(count: 6148)
        for count in 0..<65 { _ = FourierPlans.shared(count: 7000 + 2 * count) }
        #expect(first == nil)
        for n in 0..<bench.transform.count { bench.time[n] = n == 0 ? 1 : 0 }
        bench.transform.forward(bench.time, into: bench.spectrum)
        for bin in 0..<bench.transform.bins { #expect(abs(bench.spectrum[2 * bin] - 1) < 1e-6) }
    }

    /// The transform of browsers, which have no FFTW, gives what FFTW gives.
    @Test(arguments: [32, 64, 128, 512, 1024, 8192, 65_536])
    func theRadixTransformAgreesWithFFTW(_ count: Int) {
        let bench = Bench(count)
        let radix = RadixTransform(count: count)
        var random = SeededRandom(fixed: UInt64(count))
        let time = UnsafeMutablePointer<Float>.allocateAligned(count)
        let spectrum = UnsafeMutablePointer<Float>.allocateAligned(count + 2)
        defer {
            time.deallocate()
            spectrum.deallocate()
        }
        for n in 0..<count {
            let sample = Float(random.white())
            (time[n], bench.time[n]) = (sample, sample)
        }
        bench.transform.forward(bench.time, into: bench.spectrum)
        radix.forward(time, into: spectrum)
        // Of white noise every bin has about the square root of the count.
        let scale = Float(count).squareRoot()
        #expect((0..<(count + 2)).allSatisfy { abs(spectrum[$0] - bench.spectrum[$0]) < 3e-6 * scale })
        bench.transform.inverse(bench.spectrum, into: bench.time)
        radix.inverse(spectrum, into: time)
        #expect((0..<count).allSatisfy { abs(time[$0] - bench.time[$0]) < 3e-6 * Float(count) })
    }
}
