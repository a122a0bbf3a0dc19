import ArgumentParser
import OSCControl
import Parameters
import Tracking

/// Profiles, ports and listeners as they are written on the command line.
enum TrackerOption {
    /// `PROFILE[:PORT][@LISTENER]`.
    /// - Throws: `ValidationError`.
    static func tracker(_ text: String, listeners: Int) throws -> TrackerPort {
        let (rest, listener) = try splitListener(text, listeners: listeners, option: "--tracker")
        let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let profile = try profile(String(parts[0]), option: "--tracker \(text)")
        guard parts.count == 2 else {
            guard let port = profile.port else {
                throw ValidationError("--tracker \(text): \(profile.title) has no port of its own; name one, \(parts[0]):9001.")
            }
            return TrackerPort(profile, port: port, listener: listener)
        }
        guard let port = UInt16(parts[1]) else {
            throw ValidationError("--tracker \(text): \"\(parts[1])\" is no port; ports are 0 (any free one) to 65535.")
        }
        return TrackerPort(profile, port: port, listener: listener)
    }

    /// `PROFILE:HOST:PORT[@LISTENER]`; the host may hold colons.
    /// - Throws: `ValidationError`.
    static func relay(_ text: String, listeners: Int) throws -> RelayDestination {
        let (rest, listener) = try splitListener(text, listeners: listeners, option: "--relay")
        guard let first = rest.firstIndex(of: ":"), let last = rest.lastIndex(of: ":"), first < last,
            rest.index(after: first) < last
        else { throw ValidationError("--relay \(text): PROFILE:HOST:PORT is needed, sparta:127.0.0.1:9010 for example.") }
        guard let port = UInt16(rest[rest.index(after: last)...]), port > 0 else {
            throw ValidationError("--relay \(text): \"\(rest[rest.index(after: last)...])\" is no port; ports are 1 to 65535.")
        }
        return RelayDestination(
            profile: try profile(String(rest[..<first]), option: "--relay \(text)"),
            host: String(rest[rest.index(after: first)..<last]), port: port, listener: listener)
    }

    /// What stands before `@LISTENER`, and the listener, 1 when none is named.
    static func splitListener(_ text: String, listeners: Int, option: String) throws -> (String, Int) {
        guard let at = text.lastIndex(of: "@") else { return (text, 1) }
        guard let listener = Int(text[text.index(after: at)...]), (1...listeners).contains(listener) else {
            throw ValidationError(
                "\(option) \(text): \"\(text[text.index(after: at)...])\" is no listener; there are 1 to \(listeners), see --listeners.")
        }
        return (String(text[..<at]), listener)
    }

    /// A profile of the table, or one of the user's own from a JSON file.
    static func profile(_ name: String, option: String) throws -> TrackerProfile {
        if name.hasSuffix(".json") {
            do { return try TrackerProfile(path: name) } catch { throw ValidationError("\(option): \(error)") }
        }
        if let profile = TrackerProfile.named(name) { return profile }
        let nearest = NearestName.find(name, among: TrackerProfile.table.map(\.name))
        throw ValidationError(
            "\(option): there is no profile \"\(name)\""
                + (nearest.map { "; did you mean \($0)?" } ?? "") + " `vestibule trackers` lists them.")
    }
}
