internal import Foundation

/// The numbers of a motion file, as spreadsheets and other programs write them.
///
/// The first line names the columns, in any order; columns that are not part of a motion are ignored. Fields are separated by
/// semicolons, tabs, commas or spaces, whichever the header has. Numbers may have a decimal comma unless fields are separated
/// by commas. Lines end with LF, CR LF or CR. Empty lines and lines that begin with `#` are ignored.
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
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .map { (number: $0.offset + 1, text: $0.element) }
            .filter { !$0.text.allSatisfy(\.isWhitespace) && !$0.text.hasPrefix("#") }
        guard let header = lines.first else { throw fail(1, "the file is empty; the first line must name the columns: \(Self.expected)") }
        let separator: Character = [";", "\t", ","].first { header.text.contains($0) } ?? " "
        let titles = Self.fields(header.text, separator)
        var columns = titles.map(MotionColumn.init)
        // Beside angles x, y and z are the head's place, since there is no w.
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
                guard let number = Self.number(field, separator), Float(number * column.scale).isFinite else {
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

    private static func fields(_ line: Substring, _ separator: Character) -> [String] {
        let parts =
            separator == " "
            ? line.split(whereSeparator: \.isWhitespace) : line.split(separator: separator, omittingEmptySubsequences: false)
        return parts.map { $0.trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: "\""))) }
    }

    private static func number(_ field: String, _ separator: Character) -> Double? {
        let text = separator == "," ? field : field.replacingOccurrences(of: ",", with: ".")
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
