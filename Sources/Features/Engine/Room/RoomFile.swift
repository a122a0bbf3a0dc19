public import Binaural
import Files
import Foundation
import Numbers
public import Session

/// A description of a room that cannot be used, with the reason for a person to read.
public struct RoomError: DescriptionError, CustomStringConvertible {
    public let description: String

    /// - Parameter description: control characters in it, which names in files may have, are replaced.
    public init(_ description: String) {
        let scalars = description.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        self.description = String(String.UnicodeScalarView(scalars))
    }
}

/// A room as a file describes it: `protocol/schemas/room.json`.
public struct RoomFile: Sendable {
    public let room: Shoebox
    /// Order of the image sources, 0 to 5.
    public let order: Int
    /// Materials that the file defines.
    let own: [RoomMaterial]

    /// Reads and checks a file.
    /// - Throws: `RoomError` with the line, what was found and what would be valid.
    public init(path: String) throws {
        let file = try RegularFile(path)
        try self.init(json: file.text(), name: path)
    }

    /// - Parameters:
    ///   - text: a JSON document.
    ///   - name: of the file, for errors.
    public init(json text: String, name: String) throws(RoomError) {
        let document: LocatedJSON
        do { document = try LocatedJSON(text) } catch { throw RoomError("\(name):\(error.line): \(error.reason)") }
        let fields = try RoomFields(document, "a room", file: name)
        try fields.allow(["size", "place", "turn", "walls", "materials", "order", "temperature", "humidity"])
        let own = try fields.objects("materials").map { entry throws(RoomError) in try Self.material(entry) }
        guard Set(own.map(\.name)).count == own.count else { throw fields.fault("materials", "uses a name twice") }
        guard fields.holds("size") else {
            throw fields.fault("size", "is missing; expected [length, width, height] in metres, each from 1 to 100")
        }
        let size = try fields.vector("size", Shoebox.sizes, "lengths in metres: length, width and height")
        let order = try fields.number("order", in: 0...Double(RoomImage.mostOrder), or: 3)
        guard order == order.rounded() else { throw fields.fault("order", "is \(order); expected a whole number from 0 to 5") }
        let room = Shoebox(
            size: size, place: fields.holds("place") ? try fields.vector("place", -100...100, "metres: front, left and up") : nil,
            turn: Float(try fields.number("turn", in: -180...180, or: 0)), walls: try Self.walls(fields, own),
            air: AirAbsorption(
                temperature: Float(try fields.number("temperature", in: -20...50, or: 20)),
                humidity: Float(try fields.number("humidity", in: 10...100, or: 50))))
        if let fault = RoomLimits.fault(room) { throw fields.fault(fault.field, fault.reason) }
        (self.room, self.order, self.own) = (room, Int(clamping: order), own)
    }

    /// The materials in the array `materials`.
    ///
    /// - Parameter text: a JSON array; empty for none.
    static func materials(json text: String) throws(RoomError) -> [RoomMaterial] {
        guard !text.isEmpty else { return [] }
        let document: LocatedJSON
        do { document = try LocatedJSON("{\"materials\": \(text)}") } catch { throw RoomError("own materials: \(error.reason)") }
        let fields = try RoomFields(document, "own materials", file: "own materials")
        return try fields.objects("materials").map { entry throws(RoomError) in try Self.material(entry) }
    }

    private static func walls(_ fields: RoomFields, _ own: [RoomMaterial]) throws(RoomError) -> [RoomMaterial] {
        func find(_ name: String, _ fields: RoomFields, _ field: String) throws(RoomError) -> RoomMaterial {
            if let material = own.first(where: { $0.name == name }) ?? RoomMaterial.named(name) { return material }
            let names = (own + RoomMaterial.all).map(\.name).joined(separator: ", ")
            throw fields.fault(field, "names \"\(name)\", which is not a material; the materials are \(names)")
        }
        if let name = try? fields.text("walls") {
            let material = try find(name, fields, "walls")
            return Shoebox.Wall.allCases.map { _ in material }
        }
        let walls = try fields.object("walls", "a material for all walls, or an object with \(Self.wallNames)")
        try walls.allow(Shoebox.Wall.allCases.map(\.name))
        return try Shoebox.Wall.allCases.map { wall throws(RoomError) in try find(try walls.text(wall.name), walls, wall.name) }
    }

    private static let wallNames = Shoebox.Wall.allCases.map(\.name).joined(separator: ", ")

    private static func material(_ fields: RoomFields) throws(RoomError) -> RoomMaterial {
        try fields.allow(["name", "title", "absorption", "scattering", "colour", "source"])
        let absorption = try fields.numbers("absorption", in: 0...1).map { Float($0) }
        guard absorption.count == RoomMaterial.octaves else {
            throw fields.fault(
                "absorption", "has \(absorption.count) numbers; expected 7: the coefficients from 125 Hz to 8 kHz, an octave apart")
        }
        let colour = try fields.text("colour")
        guard colour.count == 7, colour.first == "#", colour.dropFirst().allSatisfy(\.isHexDigit) else {
            throw fields.fault("colour", "is \"\(colour)\"; expected #rrggbb, for example #d9c2a3")
        }
        return RoomMaterial(
            name: try fields.text("name"), title: try fields.text("title"), absorption: absorption,
            scattering: Float(try fields.number("scattering", in: 0...1, or: 0.05)), colour: colour, source: try fields.text("source"))
    }
}

extension RoomFile {
    /// Checks the place of a source in the world, metres.
    /// - Parameter name: of the source, for errors.
    public func check(_ source: SIMD3<Float>, _ name: String) throws(RoomError) {
        guard !room.contains(source, margin: RoomLimits.margin) else { return }
        let (inside, half) = (room.inRoom(source), room.size / 2)
        func text(_ value: Float) -> String { "\((value * 100).rounded() / 100)" }
        let ranges = (0..<3).map { "\(text(-half[$0] + RoomLimits.margin)) to \(text(half[$0] - RoomLimits.margin))" }
        throw RoomError(
            "\(name) is outside the room or in a wall: from the middle of the room it is \(text(inside[0])) m to the front, "
                + "\(text(inside[1])) m to the left and \(text(inside[2])) m up; "
                + "the room allows \(ranges[0]), \(ranges[1]) and \(ranges[2])"
        )
    }
}

/// The members of an object in the description of a room.
typealias RoomFields = DescriptionFields<RoomError>

extension DescriptionFields where Failure == RoomError {
    /// Three numbers, which are required.
    ///
    /// - Parameters:
    ///   - range: of each.
    ///   - what: what they are, for errors.
    func vector(_ name: String, _ range: ClosedRange<Float>, _ what: String) throws(RoomError) -> SIMD3<Float> {
        let values = try numbers(name, in: Double(range.lowerBound)...Double(range.upperBound))
        guard values.count == 3 else { throw fault(name, "has \(values.count) numbers; expected three \(what)") }
        return SIMD3(Float(values[0]), Float(values[1]), Float(values[2]))
    }
}

/// Limits of the rooms that can be computed.
enum RoomLimits {
    /// Longest reverberation time, seconds.
    static let longestReverberation: Float = 20
    /// Smallest distance of listeners and sources from a wall, metres.
    static let margin: Float = 0.1

    /// The member of a description that makes a room unusable, and why; nil for a room that can be computed.
    static func fault(_ room: Shoebox) -> (field: String, reason: String)? {
        guard room.contains(.zero, margin: margin) else {
            return (
                "place",
                "puts the listeners, who stand at the world's origin, into a wall or outside; place is the middle of the floor, and the "
                    + "origin must be at least \(margin) m inside, for example [0, 0, -\(min(1.5, room.size[2] / 2))]"
            )
        }
        let longest = room.reverberationTimes.max()
        guard longest <= longestReverberation else {
            return (
                "walls",
                "absorb so little that sound would take \(Int(clamping: longest.isFinite ? longest.rounded() : 1e6)) s to fade; "
                    + "rooms of up to \(Int(clamping: longestReverberation)) s by Eyring's formula can be computed"
            )
        }
        return nil
    }
}

extension RoomMaterial: Encodable {
    private enum CodingKeys: String, CodingKey { case name, title, absorption, scattering, colour, source }

    public func encode(to encoder: any Encoder) throws {
        func tidy(_ value: Float) -> Double { (Double(value) * 1000).rounded() / 1000 }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(title, forKey: .title)
        try values.encode(absorption.map(tidy), forKey: .absorption)
        try values.encode(tidy(scattering), forKey: .scattering)
        try values.encode(colour, forKey: .colour)
        try values.encode(source, forKey: .source)
    }

    /// Definitions of materials as a JSON array; empty for none.
    static func definitions(_ materials: [RoomMaterial]) -> String {
        let encoder = JSONEncoder.wire
        guard !materials.isEmpty, let data = try? encoder.encode(materials) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// All materials of the program as a JSON document.
    public static var json: String {
        let encoder = JSONEncoder.file
        guard let data = try? encoder.encode(["materials": all]) else { return "" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
