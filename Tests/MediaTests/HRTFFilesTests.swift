import Binaural
import Foundation
import TestSupport
import Testing

@testable import Media

/// Files of the method `hrtf`: SOFA files and the filter cache.
@Suite struct HRTFFilesTests {
    private let temporary = TemporaryFolder()
    var folder: URL { temporary.url }

    func refusal(_ path: String) -> String {
        do {
            _ = try SofaFile(path: path)
            return ""
        } catch { return error.description }
    }

    /// KEMAR as installed with libmysofa: 710 directions, each ear louder on its own side.
    @Test func theBundledResponsesAreRead() throws {
        let file = try SofaFile(path: "")
        let head = file.responses
        #expect(head.count == 710 && head.rate == 44_100)
        func energy(_ ear: Int, azimuth: Double) -> Float {
            let index = head.azimuths.indices.first {
                abs(head.azimuths[$0] - azimuth) < 0.1 && abs(head.elevations[$0]) < 0.1
            }!
            return head.samples[ear][index * head.length..<(index + 1) * head.length].reduce(0) { $0 + $1 * $1 }
        }
        #expect(energy(0, azimuth: 90) > 4 * energy(1, azimuth: 90))
        #expect(energy(1, azimuth: 270) > 4 * energy(0, azimuth: 270))
        #expect(try SofaFile(path: file.path).hash == file.hash)
    }

    @Test func invalidSofaFilesAreRefused() throws {
        let text = folder.appending(path: "text.sofa").path
        try "not a measurement".write(toFile: text, atomically: true, encoding: .utf8)
        #expect(refusal(text).contains("HDF5") && refusal(text).contains(text))
        #expect(refusal(folder.path).contains("a folder, not a regular file"))
        #expect(refusal(text + "x").contains("No such file"))
        // Valid signature, invalid contents.
        let other = folder.appending(path: "false.sofa")
        try Data([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 4000)).write(to: other)
        #expect(refusal(other.path).contains("cannot be used"))
        // Every prefix of a valid file.
        let whole = try Data(contentsOf: URL(filePath: SofaFile(path: "").path))
        for share in [0.001, 0.01, 0.2, 0.5, 0.9, 0.99] {
            let cut = folder.appending(path: "cut.sofa")
            try whole.prefix(Int(Double(whole.count) * share)).write(to: cut)
            #expect(!refusal(cut.path).isEmpty, "\(share) of it")
        }
    }

    /// The folder of earlier releases becomes the cache, unless there is one.
    @Test func theFormerCacheIsRenamed() throws {
        let (former, present) = (folder.appending(path: "personal"), folder.appending(path: "hrtf"))
        var key = ContentHash()
        key.add("one")
        try FilterCache(folder: former.path).write(key, sets: [[1, 2]])
        let cache = FilterCache.standard(in: folder.path)
        #expect(cache.folder == present.path && cache.read(key, sets: 1, length: 2) == [[1, 2]])
        #expect(!FileManager.default.fileExists(atPath: former.path))
        try FilterCache(folder: former.path).write(key, sets: [[3, 4]])
        #expect(FilterCache.standard(in: folder.path).read(key, sets: 1, length: 2) == [[1, 2]])
    }

    @Test func cachedFiltersAreReadCompletelyOrNotAtAll() throws {
        let cache = FilterCache(folder: folder.appending(path: "a/b").path)
        var key = ContentHash()
        key.add("one")
        let sets = (0..<3).map { set in (0..<100).map { Float($0 * set) / 7 } }
        #expect(cache.read(key, sets: 3, length: 100) == nil)
        try cache.write(key, sets: sets)
        #expect(cache.read(key, sets: 3, length: 100) == sets)
        #expect(cache.read(key, sets: 4, length: 75) == nil)
        let file = folder.appending(path: "a/b/\(key).filters")
        var bytes = try Data(contentsOf: file)
        for damage in [20, 700, bytes.count - 3] {
            bytes[damage] ^= 1
            try bytes.write(to: file)
            #expect(cache.read(key, sets: 3, length: 100) == nil, "byte \(damage)")
            bytes[damage] ^= 1
        }
        try bytes.dropLast(50).write(to: file)
        #expect(cache.read(key, sets: 3, length: 100) == nil)
        try bytes.write(to: file)
        #expect(cache.read(key, sets: 3, length: 100) == sets)
        // The oldest files are removed when there are many.
        for number in 0..<60 {
            var name = ContentHash()
            name.add("\(number)")
            try cache.write(name, sets: [[Float(number)]])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "a/b").path).count <= 48)
        #expect(cache.read(key, sets: 3, length: 100) == nil)
    }

    /// Known values of FNV-1a with 128 bits.
    @Test func hashesMatchPublishedValues() {
        func hash(_ text: String) -> String {
            var hash = ContentHash()
            hash.add(text)
            return "\(hash)"
        }
        #expect(hash("") == "6c62272e07bb014262b821756295c58d")
        #expect(hash("a") == "d228cb696f1a8caf78912b704e4a8964")
        #expect(hash("foobar") == "343e1662793c64bf6f0d3597ba446f18")
    }

    @Test func headRadiusIsChecked() {
        let layout = HRTFLayout(.uniform(count: 4))
        for radius: Float in [0.04, 0.2, -1, .nan] {
            #expect(throws: MediaError.self) {
                try HRTFFilters(HRTFRequest(path: "", headRadius: radius, layout: layout, rate: 48_000), cache: nil)
            }
        }
    }

    /// Work stops when cancelled through `progress`.
    @Test func workCanBeCancelled() throws {
        let layout = HRTFLayout(.uniform(count: 4))
        let filters = try HRTFFilters(
            HRTFRequest(path: "", layout: layout, rate: 48_000), cache: FilterCache(folder: folder.path)
        ) { _ in false }
        #expect(filters == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
