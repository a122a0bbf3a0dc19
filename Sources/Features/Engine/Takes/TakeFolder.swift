import CRealtime
import FileOutput
import Foundation
import Glibc

/// The folder of takes: one folder for each, named for date and time, and for the take.
package struct TakeFolder: Sendable {
    /// Maximum length of a take's name in bytes, without date and time.
    static let longestName = 100
    /// Maximum number of takes in the list that clients get.
    static let mostListed = 500
    package let path: String

    package init(_ path: String) { self.path = FilePlace.equivalent(path) }

    /// - Throws: `RequestError` for a path, a hidden file, control characters, or a name that is too long.
    static func check(_ name: String) throws {
        func refuse(_ reason: String) -> RequestError {
            let shown = String(name.unicodeScalars.prefix(60).map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
            return RequestError("\"\(shown)\" is not a valid name of a take: \(reason); give a name such as \"second set\", or none")
        }
        guard !name.contains("/"), !name.contains("\\") else { throw refuse("it contains a slash") }
        guard name.utf8.count <= longestName else { throw refuse("it is longer than \(longestName) bytes") }
        guard !name.hasPrefix("."), name.first != " ", name.last != " " else {
            throw refuse("a name does not begin with a dot, nor begin or end with a space")
        }
        guard name.unicodeScalars.allSatisfy({ $0.value >= 32 && !(127..<160).contains($0.value) }) else {
            throw refuse("there are control characters in it")
        }
    }

    /// Makes the folder of a new take. Where there is one of this name, a number is added.
    /// - Returns: its name.
    func make(_ name: String, date: Date) throws -> String {
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            throw RequestError("the folder \(path) cannot be made: \(error.localizedDescription); choose another one with --takes")
        }
        let stem = Self.time(date) + (name.isEmpty ? "" : "-" + FilePlace.composed(name))
        for attempt in 1...1000 {
            let take = attempt == 1 ? stem : "\(stem)-\(attempt)"
            if mkdir(path + "/" + take, 0o777) == 0 { return take }
            guard errno == EEXIST else {
                throw RequestError("the folder of the take cannot be made in \(path): \(String(cString: strerror(errno)))")
            }
        }
        throw RequestError("there are 1000 takes \(stem) already; choose another name")
    }

    /// Date and time of day, in the local time zone.
    static func time(_ date: Date) -> String {
        var (seconds, parts) = (time_t(clamping: date.timeIntervalSince1970), tm())
        localtime_r(&seconds, &parts)
        return String(
            format: "%04d-%02d-%02d-%02d%02d%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
            parts.tm_sec)
    }

    /// Names of all takes, the latest first.
    package var names: [String] {
        let names = FilePlace.names(in: path).filter { !$0.hasPrefix(".") && access("\(path)/\($0)/\(TakeRecord.fileName)", F_OK) == 0 }
        return names.sorted(by: >)
    }

    /// Whether there is a take of this name.
    private func contains(_ name: String) -> Bool {
        AcceptedFiles.problem(part: name) == nil && !name.hasPrefix(".") && FilePlace.isThere("\(path)/\(name)/\(TakeRecord.fileName)")
    }

    /// Moves a take to the trash, the folder `.trash`.
    /// - Throws: `RequestError` if there is no take of this name.
    func delete(_ name: String) throws {
        guard contains(name) else { throw RequestError("there is no take \"\(name.prefix(120))\" in \(path); /takes lists them") }
        do throws(OutputError) { try Trash(of: path).take(name) } catch {
            throw RequestError("the take \(name) is not deleted: \(error.reason)")
        }
    }
}
