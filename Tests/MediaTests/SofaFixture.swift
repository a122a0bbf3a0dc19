import Foundation
import SofaWriter

@testable import Media

/// A SOFA file of 12 directions around the head, 30 degrees apart, for tests to change.
struct SofaFixture {
    struct Table {
        var sizes: [Int]
        var values: [Double]
        var type = WRITER_DOUBLE
        var storage = WRITER_CONTIGUOUS
        var attributes: [String: String] = [:]
    }

    static let count = 12
    static let length = 16

    /// Samples, of which every one is exact in single precision.
    static let samples: [Double] = (0..<count * 2 * length).map { (index: Int) -> Double in
        let number: Int = (7 * index * index + index) % 61
        return Double(number - 30) / 32
    }
    static let azimuths: [Double] = (0..<count).map { 30 * Double($0) }
    static let elevations: [Double] = (0..<count).map { 10 * Double($0 % 3 - 1) }

    /// Azimuth, elevation and distance of every source.
    static let sources: [Double] = (0..<count).flatMap { (index: Int) -> [Double] in [azimuths[index], elevations[index], 1.5] }

    var form = WRITER_FIXED
    var attributes = [
        "Conventions": "SOFA", "SOFAConventions": "SimpleFreeFieldHRIR", "DataType": "FIR", "RoomType": "free field", "Title": "Twelve",
    ]
    var emptyAttributes: [String] = []
    var numbers: [String: Double] = [:]
    var tables = [
        "Data.IR": Table(sizes: [count, 2, length], values: samples),
        "Data.SamplingRate": Table(sizes: [1], values: [48_000], attributes: ["Units": "hertz"]),
        "Data.Delay": Table(sizes: [1, 2], values: [0, 0]),
        "SourcePosition": Table(
            sizes: [count, 3], values: sources,
            attributes: ["Type": "spherical", "Units": "degree, degree, metre"]),
        "ListenerPosition": cartesian(0, 0, 0), "ListenerView": cartesian(1, 0, 0), "ListenerUp": cartesian(0, 0, 1),
        "ReceiverPosition": Table(
            sizes: [2, 3, 1], values: [0, 0.09, 0, 0, -0.09, 0], attributes: ["Type": "cartesian", "Units": "metre"]),
        "N": Table(sizes: [length], values: .init(repeating: 0, count: length), storage: WRITER_DIMENSION),
    ]
    var userBlock = 0
    var isLatest = false

    static func cartesian(_ values: Double...) -> Table {
        Table(sizes: [values.count / 3, 3], values: values, attributes: ["Type": "cartesian", "Units": "metre"])
    }

    /// Positions of the sources, in cartesian coordinates.
    static var cartesianSources: Table {
        let values = (0..<count).flatMap { index -> [Double] in
            let (azimuth, elevation) = (azimuths[index] * .pi / 180, elevations[index] * .pi / 180)
            return [1.5 * cos(elevation) * cos(azimuth), 1.5 * cos(elevation) * sin(azimuth), 1.5 * sin(elevation)]
        }
        return Table(sizes: [count, 3], values: values, attributes: ["Type": "cartesian", "Units": "metre"])
    }

    struct Failure: Error { let step: Int32 }

    func write(_ path: String) throws {
        let writer = writer_new()
        for (name, text) in attributes { writer_text(writer, "/", name, Int32(form.rawValue), text) }
        for name in emptyAttributes { writer_text(writer, "/", name, Int32(WRITER_EMPTY.rawValue), "") }
        for (name, number) in numbers { writer_number(writer, "/", name, number) }
        for (name, table) in tables {
            writer_table(
                writer, name, Int32(table.type.rawValue), Int32(table.storage.rawValue), table.sizes, table.sizes.count, table.values)
            for (attribute, text) in table.attributes { writer_text(writer, name, attribute, Int32(form.rawValue), text) }
        }
        let step = writer_write(writer, path, userBlock, isLatest)
        guard step == 0 else { throw Failure(step: step) }
    }
}
