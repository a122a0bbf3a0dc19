import Binaural
import Foundation
import SofaWriter
import TestSupport
import Testing

@testable import Media

/// Forms in which programs write SOFA files: what is read equals what was written.
@Suite struct SofaFormsTests {
    typealias Table = SofaFixture.Table
    private let temporary = TemporaryFolder()

    func read(_ change: (inout SofaFixture) -> Void = { _ in }) throws -> HeadResponses {
        var fixture = SofaFixture()
        change(&fixture)
        let path = temporary.path("\(UUID()).sofa")
        try fixture.write(path)
        return try SofaFile(path: path).responses
    }

    func expectWritten(_ head: HeadResponses, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(head.count == SofaFixture.count && head.length == SofaFixture.length, comment, sourceLocation: sourceLocation)
        #expect(head.rate == 48_000, comment, sourceLocation: sourceLocation)
        for ear in 0..<2 {
            let written = (0..<SofaFixture.count).flatMap { direction -> [Float] in
                let start = (2 * direction + ear) * SofaFixture.length
                return SofaFixture.samples[start..<start + SofaFixture.length].map(Float.init)
            }
            #expect(head.samples[ear] == written, comment, sourceLocation: sourceLocation)
        }
        for (found, written) in [(head.azimuths, SofaFixture.azimuths), (head.elevations, SofaFixture.elevations)] {
            #expect(zip(found, written).allSatisfy { abs($0 - $1) < 1e-4 }, comment, sourceLocation: sourceLocation)
        }
    }

    @Test func everyFormOfTextIsRead() throws {
        for form in [
            WRITER_FIXED, WRITER_SPACES, WRITER_ZEROS, WRITER_VARIABLE, WRITER_UTF8, WRITER_VARIABLE_UTF8, WRITER_LIST, WRITER_CHARACTERS,
        ] {
            let head = try read {
                $0.form = form
                $0.attributes["Organization"] = "Universität Nord № 1"
                $0.emptyAttributes = ["ApplicationName", "Comment"]
                $0.numbers = ["SubjectAge": 31]
            }
            expectWritten(head, "form \(form.rawValue)")
        }
    }

    @Test func everyTypeAndStorageOfNumbersIsRead() throws {
        for type in [WRITER_DOUBLE, WRITER_FLOAT, WRITER_BIG_ENDIAN] {
            for storage in [WRITER_CONTIGUOUS, WRITER_CHUNKS, WRITER_DEFLATED, WRITER_SHUFFLED] {
                let head = try read {
                    ($0.tables["Data.IR"]!.type, $0.tables["Data.IR"]!.storage) = (type, storage)
                    ($0.tables["SourcePosition"]!.type, $0.tables["SourcePosition"]!.storage) = (type, storage)
                }
                expectWritten(head, "type \(type.rawValue), storage \(storage.rawValue)")
            }
        }
        let head = try read {
            $0.tables["Data.SamplingRate"]!.type = WRITER_INT
            $0.tables["Data.Delay"]!.type = WRITER_SHORT
            $0.tables["SourcePosition"]!.type = WRITER_SHORT
        }
        expectWritten(head)
        let whole = try read {
            $0.tables["Data.IR"]!.type = WRITER_SHORT
            $0.tables["Data.IR"]!.values = SofaFixture.samples.map { $0.rounded() * 2 + 1 }
        }
        #expect(whole.samples[0][0] == Float(SofaFixture.samples[0].rounded() * 2 + 1))
    }

    @Test func newFormatsAndUserBlocksAreRead() throws {
        expectWritten(try read { $0.isLatest = true })
        expectWritten(try read { $0.userBlock = 512 })
        expectWritten(try read { $0.userBlock = 4096 })
    }

    @Test func unitsAndCoordinatesAreRead() throws {
        for units in ["degree, degree, metre", "degrees, degrees, meters", "degree degree meter", "Degree, Degree, Metre", "", "metre"] {
            expectWritten(try read { $0.tables["SourcePosition"]!.attributes["Units"] = units }, "\(units)")
        }
        expectWritten(try read { $0.tables["SourcePosition"]!.attributes = [:] })
        expectWritten(try read { $0.tables["SourcePosition"] = SofaFixture.cartesianSources })
        expectWritten(
            try read {
                $0.tables["SourcePosition"]!.attributes["Units"] = "radian, radian, metre"
                $0.tables["SourcePosition"]!.values = SofaFixture.sources.map { (number: Double) -> Double in number * .pi / 180 }
            })
        expectWritten(
            try read {
                $0.tables["Data.SamplingRate"] = Table(sizes: [1, 1], values: [48], attributes: ["Units": "kilohertz"])
            })
        // Angles that go round the other way are kept.
        let left = try read { $0.tables["SourcePosition"]!.values[3] = -330 }
        #expect(left.azimuths[1] == -330)
    }

    @Test func theHeadMayStandAndLookAnywhere() throws {
        expectWritten(try read { $0.tables["ListenerView"] = nil })
        expectWritten(try read { fixture in ["ListenerPosition", "ListenerView", "ListenerUp"].forEach { fixture.tables[$0] = nil } })
        let ahead = ["Type": "spherical", "Units": "degree, degree, metre"]
        expectWritten(try read { $0.tables["ListenerView"] = Table(sizes: [1, 3], values: [0, 0, 1], attributes: ahead) })
        // One loudspeaker ahead, and a head that turns to the right.
        let turns = SofaFixture.azimuths.flatMap { (azimuth: Double) -> [Double] in [-azimuth, 0, 1] }
        let turned = try read {
            $0.tables["SourcePosition"] = Table(sizes: [1, 3], values: [0, 0, 1.2], attributes: ahead)
            $0.tables["ListenerView"] = Table(sizes: [SofaFixture.count, 3], values: turns, attributes: ahead)
            $0.tables["ListenerUp"] = SofaFixture.cartesian(0, 0, 1)
        }
        #expect(zip(turned.azimuths, SofaFixture.azimuths).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(turned.elevations.allSatisfy { abs($0) < 1e-4 })
        // A head above the floor.
        let raised = try read {
            $0.tables["SourcePosition"] = SofaFixture.cartesianSources
            for index in 0..<SofaFixture.count { $0.tables["SourcePosition"]!.values[3 * index + 2] += 1.7 }
            $0.tables["ListenerPosition"] = SofaFixture.cartesian(0, 0, 1.7)
        }
        expectWritten(raised)
    }

    @Test func ratesAndDelaysHaveAnyShape() throws {
        let count = SofaFixture.count
        for sizes in [[], [1], [1, 1], [count], [count, 1]] {
            let number = sizes.reduce(1, *)
            expectWritten(
                try read {
                    $0.tables["Data.SamplingRate"] = Table(sizes: sizes, values: [Double](repeating: 48_000, count: number))
                }, "\(sizes)")
        }
        func delays(_ sizes: [Int], _ values: [Double]) throws -> [[Double]] {
            try read { $0.tables["Data.Delay"] = Table(sizes: sizes, values: values) }.delays
        }
        let each: [Double] = (0..<count).map { Double($0) }
        for sizes in [[1, 2], [2], [2, 1], [1, 2, 1]] {
            let found = try delays(sizes, [3, 4.5])
            #expect(found == [[Double](repeating: 3, count: count), [Double](repeating: 4.5, count: count)])
        }
        let later: [Double] = each.map { $0 + 0.5 }
        #expect(try delays([count, 2], (0..<2 * count).map { ($0 % 2 == 0 ? each : later)[$0 / 2] }) == [each, later])
        #expect(try delays([count, 1], each) == [each, each])
        #expect(try delays([], [7]) == [[Double]](repeating: [Double](repeating: 7, count: count), count: 2))
        let none: [[Double]] = try read { $0.tables["Data.Delay"] = nil }.delays
        #expect(none == [[Double]](repeating: [Double](repeating: 0, count: count), count: 2))
    }

    @Test func earsInTheOtherOrderAreExchanged() throws {
        let (plain, swapped) = (
            try read(),
            try read {
                $0.tables["ReceiverPosition"]!.values = [0, -0.09, 0, 0, 0.09, 0]
                $0.tables["Data.Delay"]!.values = [1, 2]
            }
        )
        #expect(swapped.samples == [plain.samples[1], plain.samples[0]])
        #expect(swapped.delays[0][0] == 2 && swapped.delays[1][0] == 1)
        expectWritten(try read { $0.tables["ReceiverPosition"] = nil })
        expectWritten(try read { $0.tables["ReceiverPosition"]!.values = [0, 0, 0, 0, 0, 0] })
        expectWritten(
            try read {
                $0.tables["ReceiverPosition"]!.attributes = ["Type": "spherical", "Units": "degree, degree, metre"]
                $0.tables["ReceiverPosition"]!.values = [90, 0, 0.09, 270, 0, 0.09]
            })
    }

    @Test func otherConventionsWithTheSameContentAreRead() throws {
        for room in ["free field", "Free-field", ""] {
            expectWritten(
                try read {
                    $0.attributes["SOFAConventions"] = "GeneralFIR"
                    $0.attributes["RoomType"] = room
                })
        }
        expectWritten(try read { $0.attributes["RoomType"] = "Anechoic chamber of the faculty" })
        expectWritten(try read { $0.tables["Data.IR"]!.sizes = [SofaFixture.count, 2, SofaFixture.length, 1] })
        expectWritten(try read { $0.tables["Data.IR"]!.sizes = [SofaFixture.count, 2, 1, SofaFixture.length] })
    }
}
