import Session

/// The members of an object in a definition, read with errors that name the line.
struct DefinitionFields {
    private let members: [(name: String, line: Int, value: LocatedJSON)]
    private let line: Int
    private let file: String

    init(_ json: LocatedJSON, _ what: String, file: String) throws(TestError) {
        guard case .object(let members) = json.value else { throw TestError("\(file):\(json.line): expected \(what): an object in {}") }
        (self.members, line, self.file) = (members, json.line, file)
    }

    /// An error about a member, at its line.
    func fault(_ name: String, _ reason: String) -> TestError {
        TestError("\(file):\(members.last { $0.name == name }?.line ?? line): \"\(name)\" \(reason)")
    }

    /// Refuses members of other names.
    func allow(_ names: [String]) throws(TestError) {
        for member in members where !names.contains(member.name) {
            throw fault(member.name, "is not known here; expected \(names.joined(separator: ", "))")
        }
        for name in names where members.count(where: { $0.name == name }) > 1 { throw fault(name, "is given twice") }
    }

    func holds(_ name: String) -> Bool { value(name) != nil }

    private func value(_ name: String) -> LocatedJSON? { members.first { $0.name == name }?.value }

    /// - Parameter standard: the value when there is no such member; nil for one that must be there.
    func text(_ name: String, or standard: String? = nil) throws(TestError) -> String {
        guard let value = value(name) else {
            guard let standard else { throw fault(name, "is missing; expected a text") }
            return standard
        }
        guard case .text(let text) = value.value, (1...1000).contains(text.utf8.count) else {
            throw fault(name, "is not valid; expected a text of 1 to 1000 bytes")
        }
        return text
    }

    func texts(_ name: String) throws(TestError) -> [String] {
        try array(name).map { value throws(TestError) in
            guard case .text(let text) = value.value else { throw fault(name, "is not valid; expected a list of texts") }
            return text
        }
    }

    func number(_ name: String, in range: ClosedRange<Double>, or standard: Double) throws(TestError) -> Double {
        guard let value = value(name) else { return standard }
        return try number(value, name, range)
    }

    func numbers(_ name: String, in range: ClosedRange<Double>, or standard: [Double]) throws(TestError) -> [Double] {
        guard holds(name) else { return standard }
        return try array(name).map { value throws(TestError) in try number(value, name, range) }
    }

    private func number(_ value: LocatedJSON, _ name: String, _ range: ClosedRange<Double>) throws(TestError) -> Double {
        guard case .number(let number) = value.value, range.contains(number) else {
            throw fault(name, "is not valid; expected a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func objects(_ name: String) throws(TestError) -> [DefinitionFields] {
        try array(name).map { value throws(TestError) in try DefinitionFields(value, "an entry of \"\(name)\"", file: file) }
    }

    private func array(_ name: String) throws(TestError) -> [LocatedJSON] {
        guard let value = value(name) else { return [] }
        guard case .array(let values) = value.value else { throw fault(name, "is not valid; expected a list in []") }
        return values
    }
}
