internal import Foundation

/// The numbers of a motion file, as spreadsheets and other programs write them.
///
/// The first line names the columns, in any order; columns that are not part of a motion are ignored. Fields are separated by semicolons,
/// tabs, commas or spaces, whichever the header has, or by the character that a line `sep=;` before it names. Numbers may have a decimal
/// comma; where fields are separated by commas, such numbers are quoted. Lines end with LF, CR LF or CR. Empty lines, lines of empty fields
/// and lines that begin with `#` are ignored, except for a header.
struct MotionTable {
    /// Numbers of one line, in seconds and degrees, with the line's number in the file.
    struct Row {
        let line: Int
        var numbers: [MotionColumn.Quantity: Double] = [:]
    }

    private(set) var rows: [Row] = []
    let hasQuaternions: Bool

    /// - Throws: ``MotionTrack/Failure`` with the line, what was found and what is expected.
    init(csv: String, name: String) throws(MotionTrack.Failure) {
        func fail(_ line: Int, _ reason: String) -> MotionTrack.Failure {
            MotionTrack.Failure(description: "motion \(name):\(line): \(reason)")
        }
        let text = csv.hasPrefix("\u{FEFF}") ? csv.dropFirst() : Substring(csv)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .map { (number: $0.offset + 1, text: $0.element) }
            .filter { !$0.text.allSatisfy { $0.isWhitespace || ";,\"".contains($0) } }
        let named = lines.first.flatMap { Self.separator(named: $0.text) }
        if named != nil { lines.removeFirst() }
        // Some programs write the header as a comment.
        let comment = lines.first.map { (number: $0.number, text: $0.text.drop { $0 == "#" || $0.isWhitespace }) }
        lines.removeAll { $0.text.hasPrefix("#") }
        if let comment, let first = lines.first, Self.isData(first.text), Self.namesColumns(comment.text) { lines.insert(comment, at: 0) }
        guard let header = lines.first else { throw fail(1, "the file is empty; the first line must name the columns: \(Self.expected)") }
        let separator = named ?? Self.separator(of: header.text)
        let titles = Self.fields(header.text, separator)
        var columns = titles.map(MotionColumn.init)
        // With angles and without w, the columns x, y and z are the head's place.
        let isTurned = columns.contains { $0?.quantity.isAngle ?? false } && !columns.contains { $0?.quantity == .w }
        if isTurned {
            for place in columns.indices {
                if let quantity = columns[place]?.quantity { columns[place]?.quantity = quantity.besideAngles }
            }
        }
        let quantities = columns.compactMap { $0?.quantity }
        hasQuaternions = quantities.contains(where: \.isQuaternion)
        let needed: [MotionColumn.Quantity] = hasQuaternions ? [.time, .w, .x, .y, .z] : [.time, .yaw]
        guard needed.allSatisfy(quantities.contains) else {
            throw fail(header.number, "found the columns \(Self.quoted(titles)), expected \(Self.expected)")
        }
        for quantity in Set(quantities).sorted(by: { $0.rawValue < $1.rawValue }) {
            let same = zip(titles, columns).filter { $1?.quantity == quantity }.map(\.0)
            guard same.count == 1 else {
                throw fail(header.number, "\(quantity.rawValue) is in the columns \(Self.quoted(same)); keep one of them")
            }
        }
        if hasQuaternions, let angle = zip(titles, columns).first(where: { $1?.quantity.isAngle ?? false })?.0 {
            throw fail(
                header.number,
                "there are quaternions (w,x,y,z) and angles (\"\(angle)\"); keep one of these: \(Self.expected)")
        }
        for line in lines.dropFirst() {
            let fields = Self.fields(line.text, separator)
            guard fields.count == titles.count else {
                throw fail(line.number, "found \(counted(fields.count, "field")) where the header names \(titles.count): \"\(line.text)\"")
            }
            var row = Row(line: line.number)
            for (column, field) in zip(columns, fields) {
                guard let column else { continue }
                guard let number = Self.number(field), Float(number * column.scale).isFinite else {
                    throw fail(line.number, "\(column.quantity.rawValue) is \"\(field)\", expected a finite number")
                }
                guard column.quantity.isAngle else {
                    row.numbers[column.quantity] = number * column.scale
                    guard !column.quantity.isLength || abs(number * column.scale) <= Self.farthest else {
                        let most = Int(clamping: Self.farthest)
                        throw fail(line.number, "\(column.quantity.rawValue) is \(field), expected at most \(most) m either way")
                    }
                    continue
                }
                guard let angle = Turns.wrapped(number * column.scale) else {
                    throw fail(line.number, "\(column.quantity.rawValue) is \(field), expected at most \(Self.largest(column)) either way")
                }
                row.numbers[column.quantity] = angle
            }
            rows.append(row)
        }
        guard !rows.isEmpty else {
            throw fail(header.number + 1, "the file contains no poses; write at least one line of numbers below the header")
        }
    }

    /// Largest coordinate of a place, metres.
    private static let farthest = 100.0
    private static let expected = "\"time,yaw,pitch,roll\" (seconds, degrees; pitch and roll may be missing) or \"time,w,x,y,z\""

    /// The largest angle in the unit of a column.
    private static func largest(_ column: MotionColumn) -> String {
        column.scale == 1 ? "1000000 degrees" : "\(Int(clamping: Turns.largest / column.scale)) radians"
    }

    private static func quoted(_ titles: [String]) -> String { "\"\(titles.joined(separator: ","))\"" }

    /// The separator in a line such as `sep=;`, which spreadsheets write in front of a table; nil for other lines.
    private static func separator(named line: Substring) -> Character? {
        let text = line.filter { $0 != "\"" }
        guard text.lowercased().hasPrefix("sep="), text.count == 5 else { return nil }
        return text.last
    }

    private static func separator(of header: Substring) -> Character { [";", "\t", ","].first { header.contains($0) } ?? " " }

    private static func isData(_ line: Substring) -> Bool { fields(line, separator(of: line)).first.flatMap(number) != nil }

    private static func namesColumns(_ line: Substring) -> Bool {
        fields(line, separator(of: line)).contains { MotionColumn(header: $0)?.quantity == .time }
    }

    /// The parts of a line between separators that are outside of quotes.
    private static func fields(_ line: Substring, _ separator: Character) -> [String] {
        var isQuoted = false
        let parts = line.split(omittingEmptySubsequences: separator == " ") { character in
            if character == "\"" { isQuoted.toggle() }
            return !isQuoted && (character == separator || separator == " " && character.isWhitespace)
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: "\""))) }
    }

    private static func number(_ field: String) -> Double? {
        Double(field.replacingOccurrences(of: ",", with: ".")).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// A column of a motion file, recognised by its name and unit in the header.
///
/// Names may be in any case, with or without a unit: `time`, `Time (ms)`, `yaw`, `pitch_rad`, `roll [deg]`, `w`, `qx`, `px (cm)`. Without a
/// unit times are seconds, angles degrees and lengths metres.
struct MotionColumn: Equatable {
    enum Quantity: String, CaseIterable {
        case time, yaw, pitch, roll, w, x, y, z
        case front, left, up

        var isQuaternion: Bool { self == .w || self == .x || self == .y || self == .z }
        var isAngle: Bool { self == .yaw || self == .pitch || self == .roll }
        var isLength: Bool { self == .front || self == .left || self == .up }

        /// The quantity of a column x, y or z beside angles: a coordinate of the head's place.
        var besideAngles: Self {
            switch self {
            case .x: .front
            case .y: .left
            case .z: .up
            default: self
            }
        }
    }

    var quantity: Quantity
    /// Factor to seconds, degrees or metres.
    let scale: Double

    private static let names: [String: Quantity] = [
        "t": .time, "timestamp": .time, "seconds": .time, "qw": .w, "qx": .x, "qy": .y, "qz": .z, "px": .front, "py": .left,
        "pz": .up,
    ]

    /// Returns nil for a column that is not part of a motion.
    init?(header: String) {
        let words = header.lowercased().split { !$0.isLetter && $0 != "°" }.map(String.init)
        guard let name = words.first, let quantity = Quantity(rawValue: name) ?? Self.names[name], words.count <= 2 else { return nil }
        self.quantity = quantity
        switch (quantity, words.dropFirst().first) {
        case (_, nil): scale = 1
        case (.time, "s"), (.time, "sec"), (.time, "seconds"): scale = 1
        case (.time, "ms"), (.time, "milliseconds"): scale = 0.001
        case (.yaw, "deg"), (.pitch, "deg"), (.roll, "deg"), (.yaw, "degrees"), (.pitch, "degrees"), (.roll, "degrees"),
            (.yaw, "°"), (.pitch, "°"), (.roll, "°"):
            scale = 1
        case (.yaw, "rad"), (.pitch, "rad"), (.roll, "rad"), (.yaw, "radians"), (.pitch, "radians"), (.roll, "radians"):
            scale = 180 / .pi
        case (_, "m") where quantity.besideAngles.isLength: scale = 1
        case (_, "cm") where quantity.besideAngles.isLength: scale = 0.01
        case (_, "mm") where quantity.besideAngles.isLength: scale = 0.001
        default: return nil
        }
    }
}
