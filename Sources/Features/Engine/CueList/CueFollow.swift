/// The moment at which a cue fires the next one.
enum CueFollow: Hashable, CustomStringConvertible {
    /// Auto-continue: a time after the action has begun.
    case continues(CueTime)
    /// Auto-follow: when the action has ended.
    case follows

    var description: String {
        switch self {
        case .continues(let time): "continue \(time)"
        case .follows: "follow"
        }
    }
}
