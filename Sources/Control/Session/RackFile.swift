internal import Effects
internal import Files
internal import Foundation
internal import Parameters
public import Rack

/// A rack in a file: effects in series and in branches, with the values of their parameters.
///
/// In a rack file every field has to be known and in range, and a file with an error is not used at all: such files are
/// written by hand, and a misspelt field would silently have no effect. In a session, which the program writes, an unknown
/// field comes from a newer version and is kept.
public enum RackFile {
    /// The version this program writes; ``RackMigration`` reads the one before.
    public static let version = 2

    /// - Throws: ``SessionError`` with line, field, reason and remedy.
    public static func read(_ path: String) throws(SessionError) -> RackDescription {
        let text: String
        do { text = try RegularFile.text(path) } catch {
            throw SessionError(
                path: path, line: nil, field: nil, reason: "the file cannot be read: \(error.reason)",
                remedy: error.isMissing ? "name a rack file that exists" : error.remedy, subject: "rack")
        }
        return try parse(text, path: path)
    }

    /// - Parameter path: for messages, and as the base of relative paths inside.
    public static func parse(_ text: String, path: String) throws(SessionError) -> RackDescription {
        let document: LocatedJSON
        do { document = try LocatedJSON(text) } catch {
            throw SessionError(
                path: path, line: error.line, field: nil, reason: "this is not JSON: \(error.reason)",
                remedy: "fix that line", subject: "rack")
        }
        return try read(document, path: path)
    }

    /// Reads a rack that is part of another document.
    /// - Parameter keepsUnknown: whether fields that this program does not know are kept instead of refused.
    static func read(
        _ document: LocatedJSON, path: String, keepsUnknown: Bool = false
    ) throws(SessionError) -> RackDescription {
        var reader = Reader(path: path, keepsUnknown: keepsUnknown)
        let (fields, unknown) = try reader.members(
            document, of: "the file", allowed: ["version", "slots", "title", "summary"] + (keepsUnknown ? Self.stateFields : []),
            keepsUnknown: keepsUnknown)
        guard let version = fields["version"] else {
            throw reader.error(document.line, "version", "the field is missing", "write \"version\": \(self.version)")
        }
        switch version.value {
        case .number(1): reader.migration = RackMigration()
        case .number(Double(self.version)): break
        default:
            throw reader.error(
                version.line, "version", "this is not a version this program reads", "it reads versions 1 to \(self.version)")
        }
        guard let slots = fields["slots"] else {
            throw reader.error(document.line, "slots", "the field is missing", "write \"slots\": [ ... ]")
        }
        var rack = RackDescription(try reader.places(slots, "slots"))
        rack.unknown = unknown
        rack.state = try reader.state(fields)
        return rack
    }

    /// Fields of the rack as a whole; sessions alone have them.
    static let stateFields = ["bypass", "side", "other"]
}

/// Reads the parts of a rack file.
private struct Reader {
    let path: String
    let keepsUnknown: Bool
    /// For a file of an older version.
    var migration: RackMigration?

    func error(_ line: Int, _ field: String, _ reason: String, _ remedy: String) -> SessionError {
        SessionError(path: path, line: line, field: field, reason: reason, remedy: remedy, subject: "rack")
    }

    /// The members of an object by name, and unknown ones where these are kept. No name may occur twice.
    func members(
        _ json: LocatedJSON, of field: String, allowed: [String], keepsUnknown: Bool
    ) throws(SessionError) -> (known: [String: LocatedJSON], unknown: [String: JSON]) {
        guard case .object(let members) = json.value else {
            throw error(json.line, field, "this is not an object", "write { ... }")
        }
        var known: [String: LocatedJSON] = [:]
        var unknown: [String: JSON] = [:]
        for member in members {
            let isKnown = allowed.contains(member.name)
            guard isKnown || keepsUnknown else {
                throw error(
                    member.line, member.name, "there is no such field in \(field)",
                    "the fields are \(allowed.joined(separator: ", "))")
            }
            let isNew =
                isKnown
                ? known.updateValue(member.value, forKey: member.name) == nil
                : unknown.updateValue(member.value.plain, forKey: member.name) == nil
            guard isNew else {
                throw error(member.line, member.name, "the field occurs twice", "remove one of them")
            }
        }
        return (known, unknown)
    }

    func list(_ json: LocatedJSON, _ field: String) throws(SessionError) -> [LocatedJSON] {
        guard case .array(let values) = json.value else {
            throw error(json.line, field, "this is not a list", "write [ ... ]")
        }
        return values
    }

    func number(_ json: LocatedJSON, _ field: String, in range: ClosedRange<Float>) throws(SessionError) -> Float {
        guard case .number(let number) = json.value, range.contains(Float(number)) else {
            throw error(
                json.line, field, "this is not a number in range",
                "write a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Float(number)
    }

    func bool(_ json: LocatedJSON, _ field: String) throws(SessionError) -> Bool {
        guard case .bool(let isOn) = json.value else {
            throw error(json.line, field, "this is neither true nor false", "write true or false")
        }
        return isOn
    }

    /// The settings of the rack as a whole.
    func state(_ fields: [String: LocatedJSON]) throws(SessionError) -> RackState {
        var state = RackState()
        if let bypass = fields["bypass"] { state.isBypassed = try bool(bypass, "bypass") }
        if let side = fields["side"] {
            guard case .text(let name) = side.value, let known = RackState.Side.allCases.first(where: { $0.name == name }) else {
                throw error(side.line, "side", "there is no such side", "write \"A\" or \"B\"")
            }
            state.side = known
        }
        if let other = fields["other"] { state.other = try places(other, "other") }
        return state
    }

    /// The effects of one side.
    func places(_ json: LocatedJSON, _ field: String) throws(SessionError) -> [RackDescription.Place] {
        var rack = RackDescription()
        for place in try list(json, field) { rack.places.append(try self.place(place)) }
        guard rack.slots.count <= RackDescription.capacity else {
            throw error(json.line, field, "there are \(rack.slots.count) effects", "a rack holds \(RackDescription.capacity)")
        }
        guard rack.rows <= RackDescription.mostRows else {
            throw error(
                json.line, "branches", "there are \(rack.rows) rows in parallel", "a rack holds \(RackDescription.mostRows)")
        }
        let numbers = rack.slots.compactMap(\.number)
        if let twice = numbers.first(where: { number in numbers.count { $0 == number } > 1 }) {
            throw error(json.line, "slot", "two effects are slot \(twice)", "number them differently, or not at all")
        }
        return rack.places
    }

    func place(_ json: LocatedJSON) throws(SessionError) -> RackDescription.Place {
        guard case .object(let members) = json.value, members.contains(where: { $0.name == "branches" }) else {
            return .slot(try slot(json))
        }
        let (fields, _) = try self.members(json, of: "branches", allowed: ["branches", "mix"], keepsUnknown: false)
        var branches: [[RackDescription.Slot]] = []
        for branch in try list(fields["branches"]!, "branches") {
            var slots: [RackDescription.Slot] = []
            for one in try list(branch, "branches") { slots.append(try slot(one)) }
            branches.append(slots)
        }
        guard !branches.isEmpty else {
            throw error(json.line, "branches", "there is no branch", "write one or more lists of slots")
        }
        var mix = [Float](repeating: 1 / Float(branches.count), count: branches.count)
        if let given = fields["mix"] {
            let values = try list(given, "mix")
            guard values.count == branches.count else {
                throw error(
                    given.line, "mix",
                    "the list has \(counted(values.count, "number")) for \(counted(branches.count, "branch", plural: "branches"))",
                    "write a number for each branch")
            }
            for (i, value) in values.enumerated() { mix[i] = try number(value, "mix", in: 0...4) }
        }
        return .branches(branches, mix: mix)
    }

    func slot(_ json: LocatedJSON) throws(SessionError) -> RackDescription.Slot {
        let (fields, unknown) = try members(
            json, of: "a slot", allowed: ["effect", "slot", "bypass", "mix", "parameters"], keepsUnknown: keepsUnknown)
        let names = EffectRegistry.standard.names.joined(separator: ", ")
        guard let effect = fields["effect"] else {
            throw error(json.line, "effect", "the field is missing", "name one of \(names)")
        }
        guard case .text(let name) = effect.value, let kind = EffectRegistry.standard.kind(named: name) else {
            throw error(effect.line, "effect", "there is no such effect", "the effects are \(names)")
        }
        var slot = RackDescription.Slot(kind)
        slot.unknown = unknown
        if let number = fields["slot"] {
            let wanted = try self.number(number, "slot", in: 1...Float(RackDescription.capacity))
            guard wanted == wanted.rounded(), let whole = Int(checked: wanted) else {
                throw error(number.line, "slot", "this is not a whole number", "write 1 to \(RackDescription.capacity)")
            }
            slot.number = whole
        }
        if let bypass = fields["bypass"] { slot.bypass = try bool(bypass, "bypass") }
        let mix = try fields["mix"].map { json throws(SessionError) in try number(json, "mix", in: 0...1) }
        var formerMix: Float?
        if let parameters = fields["parameters"] { formerMix = try set(parameters, &slot) }
        slot.mix = migration?.mix(of: slot, mix, effect: formerMix) ?? mix ?? slot.mix
        return slot
    }

    /// - Returns: the effect's own mix in a file of an older version.
    private func set(_ json: LocatedJSON, _ slot: inout RackDescription.Slot) throws(SessionError) -> Float? {
        let known = slot.kind.parameters
        let former = migration?.parameters(of: slot.kind) ?? []
        let (given, unknown) = try members(
            json, of: slot.kind.name, allowed: known.map(\.name) + known.compactMap(\.former) + former, keepsUnknown: keepsUnknown)
        slot.unknownParameters = unknown
        for (place, parameter) in known.enumerated() {
            guard let value = given[parameter.name] ?? parameter.former.flatMap({ given[$0] }) else { continue }
            let argument: Parameters.Argument =
                switch value.value {
                case .bool(let bool): .bool(bool)
                case .number(let number): .double(number)
                case .text(let text): .string(text)
                case .null, .array, .object: .other
                }
            let spec = parameter.spec
            let accepted: ParameterValue
            do { accepted = try spec.accept([argument], at: parameter.name) } catch {
                throw self.error(value.line, parameter.name, error.description, spec.expectation)
            }
            switch accepted {
            case .number(let number):
                if case .number(let asked) = value.value, !spec.range.contains(Float(asked)) {
                    throw error(value.line, parameter.name, "\(asked) is out of range", spec.expectation)
                }
                slot.values[place] = number
            case .text(let text): slot.texts[parameter.name] = resolved(text)
            case .vector, .impulse: break
            }
        }
        return try given["mix"].map { json throws(SessionError) in try number(json, "mix", in: 0...1) }
    }

    /// Paths are relative to the file that names them.
    private func resolved(_ text: String) -> String {
        URL(filePath: text, relativeTo: URL(filePath: path).deletingLastPathComponent()).standardizedFileURL.path
    }
}

/// Migrates racks of version 1, in which eight effects had a mix of their own: the slot's mix was a share of the sound that the
/// effect had mixed already.
struct RackMigration {
    /// Names of the parameters that an effect had only in version 1.
    func parameters(of kind: EffectKind) -> [String] { kind.wetDry.former == nil ? [] : ["mix"] }

    /// The one mix of a slot, with effect and dry sound in the previous proportion.
    ///
    /// In a slot with a number, as the program saves it, missing values mean the initial ones, which its author heard. Files written by
    /// hand have no slot numbers; there the slot's mix, when the effect's is missing, was meant as the whole mix.
    ///
    /// - Parameters:
    ///   - mix: of the slot, and `own`: of its effect, where the file has them.
    /// - Returns: nil for an effect without a mix of its own in a slot without one.
    func mix(of slot: RackDescription.Slot, _ mix: Float?, effect own: Float?) -> Float? {
        let wetDry = slot.kind.wetDry
        guard let initial = wetDry.former else { return mix }
        let isWhole = slot.number == nil && mix != nil && own == nil
        return wetDry.law.share(linear: (mix ?? 1) * (isWhole ? 1 : own ?? initial))
    }
}
