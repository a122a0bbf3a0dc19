import ArgumentParser
import OSCControl

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
