import Binaural
import Testing

@testable import Media

/// Numbers of SOFA files that cannot be believed, as they are in the files.
@Suite struct DamagedSofaTests {
    /// The tables of 8 directions with two ears and 4 samples each.
    struct Tables {
        var directions = 8
        var samples = 4
        var sound = [Float](repeating: 0.5, count: 64)
        var places: [Float] = (0..<8).flatMap { [45 * Float($0), 0, 1] }
        var rates: [Float] = [48_000]
        var delays: [Float] = [0, 0]

        func responses() throws -> HeadResponses {
            var tables = SofaTables()
            (tables.conventions, tables.convention, tables.dataType) = ("SOFA", "SimpleFreeFieldHRIR", "FIR")
            tables.variables = [
                "Data.IR": .init(sizes: [directions, 2, samples], values: sound),
                "SourcePosition": .init(sizes: [places.count / 3, 3], type: "spherical", values: places),
                "Data.SamplingRate": .init(sizes: [rates.count], values: rates),
                "Data.Delay": .init(sizes: [1, delays.count], values: delays),
            ]
            do { return try HeadResponses(tables) } catch { throw (error as SofaRefusal).error("head.sofa") }
        }
    }

    func refusal(_ change: (inout Tables) -> Void) -> String {
        var tables = Tables()
        change(&tables)
        do {
            _ = try tables.responses()
            return ""
        } catch { return "\(error)" }
    }

    @Test func intactTablesAreTaken() throws {
        var tables = Tables()
        tables.delays = [3, 4]
        let head = try tables.responses()
        #expect(head.count == 8 && head.length == 4 && head.rate == 48_000)
        #expect(head.delays[0].allSatisfy { $0 == 3 } && head.delays[1].allSatisfy { $0 == 4 })
    }

    @Test func everyNumberIsChecked() {
        for wrong: Float in [1e30, -1e30, .infinity, .nan] {
            #expect(refusal { $0.delays[1] = wrong }.contains("a delay is"))
            #expect(refusal { $0.sound[63] = wrong }.contains("a sample is"))
            #expect(refusal { $0.places[3] = wrong }.contains("an azimuth is"))
            #expect(refusal { $0.places[4] = wrong }.contains("an elevation is"))
            #expect(refusal { $0.rates = [wrong] }.contains("sampling rate is"))
        }
        #expect(refusal { $0.sound[0] = 3e38 }.contains("-64.0 to 64.0"))
        #expect(refusal { $0.rates = [] }.contains("Data.SamplingRate is empty"))
        #expect(refusal { $0.delays = [48_001, 0] }.contains("-48000.0 to 48000.0"))
    }

    /// The product of announced sizes may exceed any integer.
    @Test func sizesAreChecked() {
        for count in [0, 65_537, .max] {
            #expect(refusal { $0.directions = count }.contains("\(count) directions"))
            #expect(refusal { $0.samples = count }.contains("\(count) samples"))
        }
        #expect(refusal { ($0.directions, $0.samples) = (65_536, 65_536) }.contains("that it announces"))
    }
}
