import Binaural
import Foundation
import SofaWriter
import TestSupport
import Testing

@testable import Media

/// HRTFs as transfer functions: SOFA files of the convention SimpleFreeFieldHRTF.
@Suite struct SofaTransferFunctionsTests {
    typealias Table = SofaFixture.Table
    private let temporary = TemporaryFolder()

    /// The fixture's responses as transfer functions at every multiple from `start` of 1/16 of the rate.
    func fixture(from start: Int = 0, earlier: Double = 0, delay: Double = 0) -> SofaFixture {
        let (count, length) = (SofaFixture.count, SofaFixture.length)
        let bins = Array(start...length / 2)
        var (real, imaginary): ([Double], [Double]) = ([], [])
        for response in 0..<2 * count {
            for bin in bins {
                let turn = 2 * Double.pi * Double(bin) / Double(length)
                // An impulse after `delay` samples, or the samples of the fixture.
                let samples = delay > 0 ? [1.0] : Array(SofaFixture.samples[response * length..<(response + 1) * length])
                let terms = samples.enumerated().map { time, sample in
                    let angle = -turn * (Double(time) + delay - earlier)
                    return (sample * cos(angle), sample * sin(angle))
                }
                real.append(terms.reduce(0) { $0 + $1.0 })
                imaginary.append(terms.reduce(0) { $0 + $1.1 })
            }
        }
        var fixture = SofaFixture()
        fixture.attributes["SOFAConventions"] = "SimpleFreeFieldHRTF"
        fixture.attributes["DataType"] = "TF"
        for name in ["Data.IR", "Data.SamplingRate", "Data.Delay"] { fixture.tables[name] = nil }
        fixture.tables["Data.Real"] = Table(sizes: [count, 2, bins.count], values: real)
        fixture.tables["Data.Imag"] = Table(sizes: [count, 2, bins.count], values: imaginary)
        fixture.tables["N"] = Table(
            sizes: [bins.count], values: bins.map { Double($0) * 48_000 / Double(length) }, attributes: ["Units": "hertz"])
        return fixture
    }

    func read(_ fixture: SofaFixture) throws -> HeadResponses {
        let path = temporary.path("\(UUID()).sofa")
        try fixture.write(path)
        return try SofaFile(path: path).responses
    }

    func response(_ head: HeadResponses, ear: Int, direction: Int) -> [Float] {
        Array(head.samples[ear][direction * head.length..<(direction + 1) * head.length])
    }

    @Test func impulseResponsesAreTheInverseTransforms() throws {
        // The samples spread over the whole period, so that a quarter of it precedes them.
        let head = try read(fixture())
        #expect(head.rate == 48_000 && head.length == SofaFixture.length && head.count == SofaFixture.count)
        for direction in 0..<head.count {
            for ear in 0..<2 {
                let start = (2 * direction + ear) * head.length
                let written = SofaFixture.samples[start..<start + head.length].map(Float.init)
                let rotated = Array(written.suffix(4) + written.dropLast(4))
                let found = response(head, ear: ear, direction: direction)
                #expect(zip(found, rotated).allSatisfy { abs($0 - $1) < 1e-5 })
            }
        }
    }

    @Test func responsesStayWhereTheyDoNotBeginBeforeTimeZero() throws {
        let head = try read(fixture(delay: 3))
        for ear in 0..<2 {
            let found = response(head, ear: ear, direction: 5)
            #expect(found.enumerated().allSatisfy { abs($1 - ($0 == 3 ? 1 : 0)) < 1e-5 })
        }
    }

    /// Data that are relative to the arrival at the centre of the head have ears that are reached before.
    @Test func responsesBeforeTimeZeroAreDelayed() throws {
        let head = try read(fixture(earlier: 4, delay: 2))
        let found = response(head, ear: 0, direction: 2)
        #expect(found.enumerated().allSatisfy { abs($1 - ($0 == 2 ? 1 : 0)) < 1e-5 })
    }

    @Test func missingLowFrequenciesAreContinued() throws {
        var fixture = fixture(from: 1, delay: 3)
        fixture.tables["N"]!.values = (1...8).map { 500 * Double($0) }
        let head = try read(fixture)
        #expect(head.rate == 8000)
        let found = response(head, ear: 1, direction: 7)
        #expect(found.enumerated().allSatisfy { abs($1 - ($0 == 3 ? 1 : 0)) < 1e-5 })
    }

    @Test func kilohertzAreRead() throws {
        var fixture = fixture()
        fixture.tables["N"]!.values = fixture.tables["N"]!.values.map { $0 / 1000 }
        fixture.tables["N"]!.attributes["Units"] = "kilohertz"
        #expect(try read(fixture).rate == 48_000)
    }

    func refusal(_ change: (inout SofaFixture) -> Void) -> String {
        var fixture = fixture()
        change(&fixture)
        do {
            _ = try read(fixture)
            return ""
        } catch { return "\(error)" }
    }

    @Test func whatCannotBeTransformedIsNamed() {
        #expect(refusal { $0.tables["N"] = nil }.contains("its variable N is missing"))
        #expect(refusal { $0.tables["Data.Imag"] = nil }.contains("its variable Data.Imag is missing"))
        #expect(refusal { $0.tables["N"]!.values[4] += 500 }.contains("not at equally spaced frequencies"))
        #expect(refusal { $0.tables["N"]!.values = $0.tables["N"]!.values.map { $0 + 400 } }.contains("not at equally spaced"))
        #expect(refusal { $0.tables["N"]!.values = $0.tables["N"]!.values.map { $0 + 3000 } }.contains("begin at 3000.0 Hz"))
        #expect(refusal { $0.tables["N"]!.values = $0.tables["N"]!.values.reversed() }.contains("do not ascend"))
        #expect(
            refusal { $0.tables["N"]!.values = $0.tables["N"]!.values.map { $0 / 10 } }.contains("twice its highest frequency is 4800.0"))
        #expect(refusal { $0.tables["N"]!.storage = WRITER_DIMENSION }.contains("its variable N is missing"))
        let nan = refusal { $0.tables["Data.Real"]!.values[10] = Double.nan }
        #expect(nan.contains("a value of Data.Real is nan (linear) (direction 1, ear 2, frequency 2)"))
        #expect(refusal { $0.tables["Data.Imag"]!.sizes = [SofaFixture.count, 18, 1] }.contains("differ in their sizes"))
    }
}
