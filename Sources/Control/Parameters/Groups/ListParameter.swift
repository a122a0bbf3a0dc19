/// The names that clients can choose from: files in the program's own folders, racks, and kinds of trackers.
public enum ListParameter: Int, ParameterGroup {
    case racks, recordings, responses, hrtfs, trackers, tests, results, rooms

    public static let container = "/list"
    public static let summary =
        "Names to choose from: racks, recordings, impulse responses, HRTFs, kinds of trackers, listening tests and their results, rooms."
    public static var topic: Topic? { .engine }

    public var spec: ParameterSpec {
        switch self {
        case .racks:
            .text(
                "Racks",
                "One rack per line: program or user, its name, its title and its summary, separated by tabs. The user's racks have only a "
                    + "name, with its folder: Live/My lead.", access: .read, role: .listedRacks)
        case .recordings:
            .text(
                "Recordings", "Names of the files and folders in the recordings folder, one per line.", access: .read,
                role: .listedRecordings)
        case .responses:
            .text(
                "Responses", "Names of the sound files in the responses folder, one per line.", access: .read, role: .listedResponses)
        case .hrtfs:
            .text("HRTFs", "Names of the SOFA files in the hrtf folder, one per line.", access: .read, role: .listedHRTFs)
        case .trackers:
            .text(
                "Kinds of trackers", "One kind per line: its profile, its title and its usual place, separated by tabs.",
                access: .read, role: .listedTrackers)
        case .rooms: .text("Rooms", "Names of the rooms in the rooms folder, one per line.", access: .read, role: .listedRooms)
        case .tests:
            .text("Listening tests", "Names of the definitions in the tests folder, one per line.", access: .read, role: .listedTests)
        case .results:
            .text(
                "Results", "Names of the tables in the results folder, one per line; /results/NAME downloads one.", access: .read,
                role: .listedResults)
        }
    }
}
