import Binaural
import Foundation
import SofaWriter
import TestSupport
import Testing

@testable import Media

/// Reasons for SOFA files that are not used. Each is true, and only damage is called so.
@Suite struct SofaRefusalTests {
    typealias Table = SofaFixture.Table
    private let temporary = TemporaryFolder()

    func refusal(of path: String) -> String {
        do {
            _ = try SofaFile(path: path)
            return ""
        } catch { return error.description }
    }

    func refusal(_ change: (inout SofaFixture) -> Void) throws -> String {
        var fixture = SofaFixture()
        change(&fixture)
        let path = temporary.path("\(UUID()).sofa")
        try fixture.write(path)
        return refusal(of: path)
    }

    @Test func otherConventionsAreNamed() throws {
        for (name, content) in [
            "SingleRoomDRIR": "of a room", "SingleRoomSRIR": "of a room", "MultiSpeakerBRIR": "loudspeakers in a room",
            "FreeFieldDirectivityTF": "directivity of a sound source", "GeneralFIR-E": "several emitters",
            "FreeFieldHRIR": "spherical harmonics",
            "SimpleFreeFieldHRSOS": "second-order sections", "SimpleHeadphoneIR": "headphones", "MyConvention": "does not know",
        ] {
            let text = try refusal { $0.attributes["SOFAConventions"] = name }
            #expect(text.contains("the convention \(name)") && text.contains(content) && text.contains("SimpleFreeFieldHRIR"), "\(text)")
            #expect(!text.contains("damaged"))
        }
        // What is read of it does not matter, nor what is missing.
        let other = try refusal {
            $0.attributes["SOFAConventions"] = "SingleRoomDRIR"
            $0.tables = ["Data.IR": Table(sizes: [2, 4, 3], values: [Double](repeating: 0, count: 24))]
        }
        #expect(other.contains("SingleRoomDRIR"))
    }

    @Test func generalFilesNeedTwoEarsAndNoRoom() throws {
        let room = try refusal { ($0.attributes["SOFAConventions"], $0.attributes["RoomType"]) = ("GeneralFIR", "shoebox") }
        #expect(room.contains("GeneralFIR") && room.contains("shoebox"))
        for positions in [[0, 0.09, 0, 0, 0.03, 0], [0, 0, 0, 0, 0, 0]] {
            let ears = try refusal {
                $0.attributes["SOFAConventions"] = "GeneralFIR"
                $0.tables["ReceiverPosition"]!.values = positions
            }
            #expect(ears.contains("left and a right ear"))
        }
    }

    @Test func whatIsMissingIsNamed() throws {
        for name in ["Data.IR", "Data.SamplingRate", "SourcePosition"] {
            let text = try refusal { $0.tables[name] = nil }
            #expect(text.contains("its variable \(name) is missing") && !text.contains("damaged"), "\(text)")
        }
        #expect(try refusal { $0.attributes = [:] }.contains("not a SOFA file: its attribute Conventions is missing"))
        let climate = try refusal { $0.attributes = ["Conventions": "CF-1.6"] }
        #expect(climate.contains("its attribute Conventions is \"CF-1.6\""))
        #expect(try refusal { $0.attributes["SOFAConventions"] = nil }.contains("SOFAConventions is missing"))
    }

    @Test func wrongSizesAreNamed() throws {
        let one = try refusal { $0.tables["Data.IR"] = Table(sizes: [12, 1, 32], values: SofaFixture.samples) }
        #expect(one.contains("has the sizes 12 x 1 x 32") && one.contains("two ears"))
        let places = try refusal { $0.tables["SourcePosition"]!.sizes = [3, 12] }
        #expect(places.contains("SourcePosition has the sizes 3 x 12"))
        let fewer = try refusal { $0.tables["ListenerView"] = SofaFixture.cartesian(1, 0, 0, 1, 0, 0) }
        #expect(fewer.contains("ListenerView has the sizes 2 x 3"))
        let delays = try refusal { $0.tables["Data.Delay"] = Table(sizes: [3, 2], values: [0, 0, 0, 0, 0, 0]) }
        #expect(delays.contains("Data.Delay has the sizes 3 x 2"))
        let rates = try refusal { $0.tables["Data.SamplingRate"] = Table(sizes: [2], values: [44_100, 48_000]) }
        #expect(rates.contains("different sampling rates, such as 44100.0 Hz and 48000.0 Hz"))
        let kind = try refusal { $0.tables["SourcePosition"]!.attributes["Type"] = "spherical harmonics" }
        #expect(kind.contains("\"spherical harmonics\""))
        let centre = try refusal {
            $0.tables["SourcePosition"] = SofaFixture.cartesianSources
            $0.tables["SourcePosition"]!.values.replaceSubrange(6..<9, with: [0, 0, 0])
        }
        #expect(centre.contains("direction 3 is in the centre"))
    }

    @Test func wrongNumbersAreNamed() throws {
        let nan = try refusal { $0.tables["Data.IR"]!.values[50] = Double.nan }
        #expect(nan.contains("damaged") && nan.contains("a sample is nan") && nan.contains("direction 2, ear 2"))
        #expect(try refusal { $0.tables["Data.IR"]!.values[0] = Double.infinity }.contains("a sample is inf"))
        #expect(try refusal { $0.tables["Data.IR"]!.values[0] = 9.969209968386869e36 }.contains("never written"))
        #expect(try refusal { $0.tables["Data.SamplingRate"]!.values = [0] }.contains("its sampling rate is 0.0 Hz"))
    }

    /// Neither other files are opened, nor filters loaded.
    @Test func valuesInOtherPlacesAreNotRead() throws {
        let packed = try refusal { $0.tables["Data.IR"]!.storage = WRITER_UNKNOWN_FILTER }
        #expect(packed.contains("compressed by a filter") && packed.contains("shrink, number 399") && packed.contains("h5repack"))
        for storage in [WRITER_OTHER_FILE, WRITER_LINK] {
            let text = try refusal { $0.tables["Data.IR"]!.storage = storage }
            #expect(text.contains("the values of its variable Data.IR are in another place"), "\(text)")
        }
        #expect(try refusal { $0.tables["Data.IR"]!.type = WRITER_STRINGS }.contains("does not hold real numbers"))
    }

    @Test func damageIsNamed() throws {
        var fixture = SofaFixture()
        // This format has checksums of everything but other tables' values.
        fixture.isLatest = true
        fixture.tables["Data.IR"]!.storage = WRITER_SHUFFLED
        let path = temporary.path("whole.sofa")
        try fixture.write(path)
        let whole = try Data(contentsOf: URL(filePath: path))
        let cut = temporary.path("cut.sofa")
        try whole.dropLast(100).write(to: URL(filePath: cut))
        #expect(refusal(of: cut).contains("truncated: \(whole.count - 100) of its \(whole.count) bytes"))
        // No damage makes the reader take a wrong sample, or harms this process.
        let plain = try SofaFile(path: path).responses
        var found: Set<String> = []
        for place in stride(from: 8, to: whole.count, by: max(1, whole.count / 150)) {
            var bytes = whole
            bytes[place] ^= 0x55
            try bytes.write(to: URL(filePath: cut))
            do {
                let head = try SofaFile(path: cut).responses
                #expect(head.samples == plain.samples)
            } catch { found.insert(error.description.contains("Data.IR cannot be read") ? "values" : "other") }
        }
        #expect(found.contains("values"))
    }

    @Test func otherKindsOfFilesAreNamed() throws {
        for (beginning, kind) in [
            ("<!DOCTYPE html><html>", "a web page"), ("\n <html lang=\"en\">", "a web page"),
            ("version https://git-lfs.github.com/spec/v1\noid sha256:", "Git LFS"), ("MATLAB 5.0 MAT-file, Platform", "version 5"),
            ("CDF\u{1}    ", "netCDF's classic format"), ("RIFF    WAVE", "a WAVE file"), ("PK\u{3}\u{4}", "a ZIP archive"),
            ("", "empty"), ("\0\0\0\0\0\0\0\0\0\0", "zero bytes"), ("{\"a\": 1}", "JSON"),
            ("not a measurement", "the HDF5 signature is missing"),
        ] {
            let path = temporary.path("other.sofa")
            try Data(beginning.utf8).write(to: URL(filePath: path))
            let text = refusal(of: path)
            #expect(text.contains("not a SOFA file") && text.contains("HDF5") && text.contains(kind), "\(text)")
        }
        // HDF5 after 512 bytes of text.
        let path = temporary.path("matlab.sofa")
        var fixture = SofaFixture()
        fixture.userBlock = 512
        try fixture.write(path)
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(0..<19, with: Data("MATLAB 7.3 MAT-file".utf8))
        try bytes.write(to: URL(filePath: path))
        #expect(refusal(of: path).contains("version 7.3"))
    }
}
