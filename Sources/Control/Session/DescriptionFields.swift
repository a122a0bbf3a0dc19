/// Reads the members of an object in a hand-written JSON description; errors name the file and the line.
package struct DescriptionFields<Failure: DescriptionError> {
    private let members: [(name: String, line: Int, value: LocatedJSON)]
    private let line: Int
    private let file: String

    /// - Parameters:
    ///   - what: what the object describes, for errors.
    ///   - file: its name, for errors.
    package init(_ json: LocatedJSON, _ what: String, file: String) throws(Failure) {
        guard case .object(let members) = json.value else { throw Failure("\(file):\(json.line): expected \(what): an object in {}") }
        (self.members, line, self.file) = (members, json.line, file)
    }

    /// An error about a member, at its line.
    package func fault(_ name: String, _ reason: String) -> Failure {
        Failure("\(file):\(members.last { $0.name == name }?.line ?? line): \"\(name)\" \(reason)")
    }

    /// Refuses members of other names.
    package func allow(_ names: [String]) throws(Failure) {
        for member in members where !names.contains(member.name) {
            throw fault(member.name, "is unknown; expected \(names.joined(separator: ", "))")
        }
        for name in names where members.count(where: { $0.name == name }) > 1 { throw fault(name, "is given twice") }
    }

    package func holds(_ name: String) -> Bool { value(name) != nil }

    private func value(_ name: String) -> LocatedJSON? { members.first { $0.name == name }?.value }

    /// - Parameter standard: the value when there is no such member; nil for one that must be there.
    package func text(_ name: String, or standard: String? = nil) throws(Failure) -> String {
        guard let value = value(name) else {
            guard let standard else { throw fault(name, "is missing; expected a text") }
            return standard
        }
        guard case .text(let text) = value.value, (1...1000).contains(text.utf8.count) else {
            throw fault(name, "is not valid; expected a text of 1 to 1000 bytes")
        }
        return text
    }

    /// - Returns: an empty list when there is no such member.
    package func texts(_ name: String) throws(Failure) -> [String] {
        try array(name).map { value throws(Failure) in
            guard case .text(let text) = value.value else { throw fault(name, "is not valid; expected a list of texts") }
            return text
        }
    }

    package func number(_ name: String, in range: ClosedRange<Double>, or standard: Double) throws(Failure) -> Double {
        guard let value = value(name) else { return standard }
        return try number(value, name, range)
    }

    /// - Parameter standard: the value when there is no such member.
    package func flag(_ name: String, or standard: Bool) throws(Failure) -> Bool {
        guard let value = value(name) else { return standard }
        guard case .bool(let flag) = value.value else { throw fault(name, "is not valid; expected true or false") }
        return flag
    }

    /// - Parameter standard: the value when there is no such member; nil for one that must be there.
    package func numbers(_ name: String, in range: ClosedRange<Double>, or standard: [Double]? = nil) throws(Failure) -> [Double] {
        guard holds(name) else {
            guard let standard else { throw fault(name, "is missing; expected a list of numbers in []") }
            return standard
        }
        return try array(name).map { value throws(Failure) in try number(value, name, range) }
    }

    private func number(_ value: LocatedJSON, _ name: String, _ range: ClosedRange<Double>) throws(Failure) -> Double {
        guard case .number(let number) = value.value, range.contains(number) else {
            func plain(_ number: Double) -> String { number == number.rounded() ? "\(Int(clamping: number))" : "\(number)" }
            throw fault(name, "is not valid; expected a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
        }
        return number
    }

    /// - Parameter what: what the member has to be, for errors.
    package func object(_ name: String, _ what: String) throws(Failure) -> Self {
        guard let value = value(name), case .object = value.value else { throw fault(name, "is not valid; expected \(what)") }
        return try Self(value, what, file: file)
    }

    /// - Returns: an empty list when there is no such member.
    package func objects(_ name: String) throws(Failure) -> [Self] {
        try array(name).map { value throws(Failure) in try Self(value, "an entry of \"\(name)\"", file: file) }
    }

    private func array(_ name: String) throws(Failure) -> [LocatedJSON] {
        guard let value = value(name) else { return [] }
        guard case .array(let values) = value.value else { throw fault(name, "is not valid; expected a list in []") }
        return values
    }
}

/// An error in a hand-written description, with the reason in words.
public protocol DescriptionError: Error {
    init(_ description: String)
}
