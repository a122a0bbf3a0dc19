import ArgumentParser
import Parameters

/// Sound objects.
struct ObjectOptions: ParsableArguments {
    @Option(help: "Number of sound objects that can be used.")
    var objects = 8

    @Option(
        help: ArgumentHelp(ObjectOption.help),
        transform: ObjectOption.init)
    var object: [ObjectOption] = []

    @Option(help: "Folder of the sound files that clients may choose for objects (default: $XDG_DATA_HOME/vestibule/sounds).")
    var sounds: String?

    func validate() throws {
        guard (0...ObjectParameter.most).contains(objects) else {
            throw ValidationError("--objects \(objects): give a number from 0 to \(ObjectParameter.most).")
        }
        guard object.count <= objects else {
            throw ValidationError(
                "--object is given \(counted(object.count, "time")), and there is room for \(objects). Add --objects \(object.count).")
        }
    }
}
