import Session

/// The members of an object in the description of a room, read with errors that name the line.
struct RoomFields {
    private let members: [(name: String, line: Int, value: LocatedJSON)]
    private let line: Int
    private let file: String

    init(_ json: LocatedJSON, file: String) throws(RoomError) {
        guard case .object(let members) = json.value else { throw RoomError("\(file):\(json.line): expected an object in {}") }
        (self.members, line, self.file) = (members, json.line, file)
    }

    func fault(_ name: String, _ reason: String) -> RoomError {
        RoomError("\(file):\(members.last { $0.name == name }?.line ?? line): \"\(name)\" \(reason)")
    }

    /// Refuses members of other names.
    func allow(_ names: [String]) throws(RoomError) {
        for member in members where !names.contains(member.name) {
            throw fault(member.name, "is not known here; expected \(names.joined(separator: ", "))")
        }
        for name in names where members.count(where: { $0.name == name }) > 1 { throw fault(name, "is given twice") }
    }

    private func value(_ name: String) -> LocatedJSON? { members.first { $0.name == name }?.value }

    func text(_ name: String) throws(RoomError) -> String {
        guard case .text(let text)? = value(name)?.value, (1...1000).contains(text.utf8.count) else {
            throw fault(name, value(name) == nil ? "is missing; expected a text" : "is not valid; expected a text of 1 to 1000 bytes")
        }
        return text
    }

    /// - Returns: nil when there is no such member.
    func number(_ name: String, _ range: ClosedRange<Double>) throws(RoomError) -> Double? {
        guard let value = value(name) else { return nil }
        return try number(value, name, range)
    }

    private func number(_ value: LocatedJSON, _ name: String, _ range: ClosedRange<Double>) throws(RoomError) -> Double {
        guard case .number(let number) = value.value, range.contains(number) else {
            throw fault(name, "is not valid; expected a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))")
        }
        return number
    }

    private static func plain(_ number: Double) -> String { number == number.rounded() ? "\(Int(clamping: number))" : "\(number)" }

    func numbers(_ name: String, _ range: ClosedRange<Double>) throws(RoomError) -> [Float] {
        guard case .array(let values)? = value(name)?.value else { throw fault(name, "is not valid; expected a list of numbers in []") }
        return try values.map { value throws(RoomError) in Float(try number(value, name, range)) }
    }

    /// - Returns: nil when there is no such member.
    func vector(_ name: String, _ range: ClosedRange<Float>, _ what: String) throws(RoomError) -> SIMD3<Float>? {
        guard value(name) != nil else { return nil }
        let values = try numbers(name, Double(range.lowerBound)...Double(range.upperBound))
        guard values.count == 3 else { throw fault(name, "has \(values.count) numbers; expected three \(what)") }
        return SIMD3(values[0], values[1], values[2])
    }

    func members(_ name: String, _ what: String) throws(RoomError) -> RoomFields {
        guard let value = value(name), case .object = value.value else { throw fault(name, "is not valid; expected \(what)") }
        return try RoomFields(value, file: file)
    }

    /// - Returns: nothing when there is no such member.
    func list(_ name: String) throws(RoomError) -> [RoomFields] {
        guard let value = value(name) else { return [] }
        guard case .array(let values) = value.value else { throw fault(name, "is not valid; expected a list in []") }
        return try values.map { value throws(RoomError) in try RoomFields(value, file: file) }
    }
}
