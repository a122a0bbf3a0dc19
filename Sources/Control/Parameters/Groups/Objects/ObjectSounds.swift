/// The sounds that objects can have, and which objects there are.
public enum ObjectSounds: Int, ParameterGroup {
    case sounds, add, remove, list, count, most, autoplay

    public static let container = "/object"
    public static let summary = "Sound objects, and the sounds available to them."
    public static var topic: Topic? { .objects }

    public var spec: ParameterSpec {
        switch self {
        case .sounds:
            .text("Sounds", "Names of the sounds available to objects, one per line.", access: .read, role: .objectSounds)
        case .add:
            .text(
                "Add object",
                "Adds an object with the lowest free number. The text is a sound from "
                    + "the list, or else the object's name.", access: .write, role: .objectAdd
            ).limited(to: 512)
        case .remove:
            .init(
                title: "Remove object", summary: "Fades out and removes the object with this number.", kind: .integer,
                range: 1...Float(ObjectParameter.most), initial: .number(1), access: .write, role: .objectRemove)
        case .list:
            .text(
                "Objects that exist",
                "Numbers of the existing objects, such as 1-8,12; setting it adds missing objects and removes all "
                    + "others.",
                role: .objectList
            ).limited(to: 1024)
        case .count: .counter("Objects", "Number of existing objects.", role: .objectCount)
        case .autoplay:
            .toggle(
                "Play new sounds", "Starts the transport when an object is given a sound file.", role: .objectAutoplay
            ).kept(.session)
        case .most: .counter("Most objects", "Maximum number of objects that may exist at a time.", role: .objectMost)
        }
    }
}

/// Numbers of sound objects as a text: "1-8,12".
public enum ObjectNumbers {
    /// - Parameter objects: counted from 0.
    public static func text(_ objects: Set<Int>) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in objects.map({ $0 + 1 }).sorted() {
            if let last = ranges.last, last.upperBound == number - 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// - Returns: objects counted from 0; nil for a text of another form, or a number that is not from 1 to `most`.
    public static func objects(_ text: String, most: Int) -> Set<Int>? {
        var objects: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: true) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { word in
                Int(word.trimmingPrefix { $0 == " " }.prefix { $0 != " " })
            }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first >= 1, first <= last,
                last <= most
            else { return nil }
            objects.formUnion(first - 1...last - 1)
        }
        return objects
    }
}
