import ArgumentParser
import Links

/// MIDI controllers.
struct MIDIOptions: ParsableArguments {
    @Option(
        name: .customLong("midi"),
        help: """
            MIDI controller to listen to: a part of its name, see `vestibule midi`, or the path of a raw MIDI port; none for no \
            controllers. Repeatable. Without it, every hardware MIDI port of this machine is used.
            """
    )
    var names: [String] = []

    func check() throws {
        guard !names.contains(""), names.count < 2 || !names.contains(MIDIInputs.none) else {
            throw ValidationError("--midi takes a part of a port's name or a path; \"none\" stands alone.")
        }
    }
}
