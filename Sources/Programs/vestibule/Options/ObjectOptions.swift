import ArgumentParser
import Parameters

/// Sound objects.
struct ObjectOptions: ParsableArguments {
    @Option(help: "Number of sound objects at the start, up to 256; clients add and remove others. 0 turns objects off.")
    var objects = 8

    @Option(
        help: ArgumentHelp(ObjectOption.help),
        transform: ObjectOption.init)
    var object: [ObjectOption] = []

    @Option(help: "Folder of the sound files that clients may choose for objects (default: $XDG_DATA_HOME/vestibule/sounds).")
    var sounds: String?

    @Option(help: "Room in which the sound objects are: a JSON file (docs/rooms.md).")
    var room: String?

    @Option(help: ArgumentHelp(PlaceOption.help + " Repeatable."), transform: PlaceOption.init)
    var place: [PlaceOption] = []

    /// - Throws: an error for the place of a listener that does not exist.
    func check(listeners: Int) throws {
        guard let place = place.first(where: { $0.listener > listeners }) else { return }
        throw ValidationError(
            "--place: there is no listener \(place.listener); the listeners are 1 to \(listeners). Add --listeners \(place.listener).")
    }

    func validate() throws {
        guard room == nil || objects > 0 else {
            throw ValidationError("--room is for sound objects, and --objects is 0. Give --objects a number, or leave --room out.")
        }
        guard (0...ObjectParameter.most).contains(objects) else {
            throw ValidationError("--objects \(objects): give a number from 0 to \(ObjectParameter.most).")
        }
        guard object.count <= objects else {
            throw ValidationError(
                "--object is given \(counted(object.count, "time")), but --objects is \(objects). Add --objects \(object.count).")
        }
    }
}
