/// One rack of effects: its layout, and the files it is loaded from and saved to.
///
/// Instances are in the order of ``RackPosition``: recording, live input, each listener.
public enum RackParameter: Int, ParameterGroup {
    case layout, add, remove, preset, load, save, clear, title, latency
    case bypass, side, copy, input, output

    public static let container = "/rack/{n}"
    public static let summary = "Effects in series and in parallel."
    public static var topic: Topic? { .effects }

    public static func container(_ instance: Int) -> String { RackPosition(instance: instance).container }

    public var spec: ParameterSpec {
        switch self {
        case .layout:
            .text(
                "Layout",
                "Order of the slots: 1 (2 3 | 4) 5 has 2 and 3 in series, parallel to 4. Omitted slots are removed.",
                role: .rackLayout
            ).kept(.nothing).limited(to: 1024)
        case .add:
            .choice("Add effect", from: .effects, "Appends an effect, in the lowest free slot.", access: .write, role: .rackAdd)
        case .remove:
            .init(
                title: "Remove slot", summary: "Removes the slot with this number; its tail rings out.", kind: .integer,
                range: 1...16, initial: .number(1), access: .write, role: .rackRemove)
        case .preset:
            .choice("Preset", from: .presets, "Replaces the rack with one of the program's presets.", access: .write, role: .rackPreset)
        case .load:
            .text(
                "Load rack", "Name of a rack in the user's preset folder, including its sub-folder: Live/My lead.",
                access: .write, role: .rackLoad)
        case .save:
            .text(
                "Save rack",
                "Name of the rack in the user's preset folder, Live/My lead for one in the folder Live; a second argument, true, replaces "
                    + "an existing rack.",
                access: .write, role: .rackSave
            ).confirmable
        case .clear: .impulse("Empty rack", "Removes all effects.")
        case .title: .text("Rack", "Name of the most recently loaded or saved rack.", access: .read, role: .rackTitle)
        case .latency:
            .gauge("Rack latency", 0...65_536, unit: .sample, "Delay of the sound by the effects.")
        case .bypass:
            .toggle(
                "Bypass all", "Passes the sound unchanged, with the latency of the effects; they keep running.",
                role: .rackBypass
            ).kept(.field)
        case .side:
            .choice(
                "Side", ["A", "B"], "Active one of two complete settings. An unused side starts as a copy.",
                role: .rackSide
            ).kept(.nothing)
        case .copy: .impulse("Copy to other side", "Copies the active side to the other one.", role: .rackCopy)
        case .input:
            .gauge(
                "Input level", 0...16, unit: .linearGain, "Peak before the effects since the last report; 0 without effects.",
                role: .rackInput)
        case .output:
            .gauge(
                "Output level", 0...16, unit: .linearGain, "Peak after the effects since the last report; 0 without effects.",
                role: .rackOutput)
        }
    }
}

/// Position of a rack in the signal path.
public enum RackPosition: Sendable, Equatable {
    /// The recording, as rendered for a listener.
    case recording
    /// The live input, before it reaches the listeners.
    case input
    /// Everything one listener hears; listeners are counted from 0.
    case output(Int)

    public init(instance: Int) {
        self =
            switch instance {
            case 0: .recording
            case 1: .input
            default: .output(instance - 2)
            }
    }

    /// Instance of ``RackParameter``.
    public var instance: Int {
        switch self {
        case .recording: 0
        case .input: 1
        case .output(let listener): 2 + listener
        }
    }

    /// Name in addresses and session files.
    public var name: String {
        switch self {
        case .recording: "recording"
        case .input: "input"
        case .output(let listener): "listener/\(listener + 1)"
        }
    }

    public var container: String { "/rack/\(name)" }

    /// All positions of a program with a number of listeners.
    public static func all(listeners: Int) -> [RackPosition] { (0..<listeners + 2).map(RackPosition.init(instance:)) }
}
