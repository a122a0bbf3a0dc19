import ArgumentParser
import OSCControl
import Pose
import Trackers

/// Head trackers and pose relays.
struct TrackerOptions: ParsableArguments {
    @Option(
        help: """
            Head tracker on a UDP port of its own, PROFILE[:PORT][@LISTENER], or one that is attached by USB, MIDI or Bluetooth, \
            PROFILE[:NAME][@LISTENER]; see `vestibule trackers`. Repeatable.
            """
    )
    var tracker: [String] = []

    @Option(
        help: "Forward a listener's pose when it changes, PROFILE:HOST:PORT[@LISTENER]; PROFILE is the tracker to imitate. Repeatable.")
    var relay: [String] = []

    func check(listeners: Int) throws {
        for text in relay { _ = try TrackerOption.relay(text, listeners: listeners) }
        for text in tracker { try TrackerOption.checkTracker(text, listeners: listeners) }
        guard tracker.count <= OSCReceiver.mostTrackers - 2 else {
            throw ValidationError(
                "--tracker is given \(counted(tracker.count, "time")); there is room for \(OSCReceiver.mostTrackers - 2).")
        }
    }
}

/// Tracker profiles, ports and listeners on the command line.
enum TrackerOption {
    /// Checks `PROFILE[:PLACE][@LISTENER]`.
    /// - Throws: `ValidationError`.
    static func checkTracker(_ text: String, listeners: Int) throws {
        let (rest, _) = try splitListener(text, listeners: listeners, option: "--tracker")
        do { _ = try TrackerSource(rest) } catch { throw ValidationError("--tracker \(text): \(error.reason).") }
    }

    /// `PROFILE:HOST:PORT[@LISTENER]`; the host may hold colons.
    /// - Throws: `ValidationError`.
    static func relay(_ text: String, listeners: Int) throws -> RelayDestination {
        let (rest, listener) = try splitListener(text, listeners: listeners, option: "--relay")
        guard let first = rest.firstIndex(of: ":"), let last = rest.lastIndex(of: ":"), first < last,
            rest.index(after: first) < last
        else { throw ValidationError("--relay \(text): write PROFILE:HOST:PORT, for example sparta:127.0.0.1:9010.") }
        guard let port = UInt16(rest[rest.index(after: last)...]), port > 0 else {
            throw ValidationError("--relay \(text): \"\(rest[rest.index(after: last)...])\" is not a port; ports are 1 to 65535.")
        }
        let profile = try profile(String(rest[..<first]), option: "--relay \(text)")
        guard profile.transport == .udp else {
            throw ValidationError("--relay \(text): \(profile.title) is not a network protocol; poses cannot be sent that way.")
        }
        return RelayDestination(
            profile: profile, host: String(rest[rest.index(after: first)..<last]), port: port, listener: listener)
    }

    /// The text before `@LISTENER`, and the listener: 1 when none is named.
    static func splitListener(_ text: String, listeners: Int, option: String) throws -> (String, Int) {
        guard let at = text.lastIndex(of: "@") else { return (text, 1) }
        guard let listener = Int(text[text.index(after: at)...]), (1...listeners).contains(listener) else {
            throw ValidationError(
                "\(option) \(text): \"\(text[text.index(after: at)...])\" is not a listener; "
                    + "the listeners are 1 to \(listeners), see --listeners.")
        }
        return (String(text[..<at]), listener)
    }

    /// A profile of the table, or one of the user's own from a JSON file.
    static func profile(_ name: String, option: String) throws -> TrackerProfile {
        do { return try TrackerSource.profile(name).0 } catch { throw ValidationError("\(option): \(error.reason).") }
    }
}

/// A destination of a listener's poses, and the format to send them in.
struct RelayDestination {
    let profile: TrackerProfile
    let host: String
    let port: UInt16
    /// Counted from 1.
    let listener: Int
}
