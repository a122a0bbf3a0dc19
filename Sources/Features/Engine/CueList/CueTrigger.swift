/// The moment at which a cue fires by itself.
enum CueTrigger: Hashable, CustomStringConvertible {
    /// Once a day.
    case time(TimeOfDay)
    /// Whenever the recording passes a position while it plays.
    case position(CueTime)

    /// - Parameter words: the words after `at`.
    /// - Throws: `RequestError`.
    init(_ words: inout ArraySlice<CueWord>) throws {
        let word = words.popFirst()?.text ?? ""
        if word == "position" {
            guard let place = words.popFirst().flatMap({ CueTime($0.text) }) else {
                throw RequestError("\"at position\" needs a position of 0 to 86400 seconds in the recording")
            }
            self = .position(place)
        } else if let time = TimeOfDay(word) {
            self = .time(time)
        } else {
            throw RequestError("\"at\" needs a time of day, HH:MM or HH:MM:SS, or \"position\" and seconds")
        }
    }

    var description: String {
        switch self {
        case .time(let time): "at \(time)"
        case .position(let place): "at position \(place)"
        }
    }
}
