/// A cue that was fired and has not ended.
struct CueRun {
    /// Place of the cue.
    let place: Int
    let cue: Cue
    var phase: Phase

    enum Phase: Equatable {
        /// Before the action, until a time of CLOCK_MONOTONIC in nanoseconds.
        case preWait(until: UInt64)
        /// After the action has begun, until the cue at `next` is fired.
        case continuing(until: UInt64, next: Int)
        /// Until the action has ended, which fires the cue at `next`.
        case acting(CueEnd, next: Int)
    }

    /// Time at which the phase ends, CLOCK_MONOTONIC nanoseconds; nil when it is not known.
    var due: UInt64? {
        switch phase {
        case .preWait(let time), .continuing(let time, _), .acting(.at(let time), _): time
        case .acting: nil
        }
    }

    /// The place of the cue that fires or acts next.
    var comingPlace: Int {
        switch phase {
        case .preWait: place
        case .continuing(_, let next), .acting(_, let next): next
        }
    }

    /// Whether its own action has begun, and it waits to fire the cue at another place.
    func leads(to other: Int) -> Bool {
        if case .preWait = phase { return false }
        return comingPlace == other
    }
}
