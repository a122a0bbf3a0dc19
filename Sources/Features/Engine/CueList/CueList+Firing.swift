import Hub
import Parameters

/// Firing cues: their waits, their actions, and the cues that they fire.
extension CueList {
    /// Fires a cue and everything that is due at once.
    func fire(_ place: Int, now: UInt64) {
        begin(place, at: now)
        advance(now: now)
        publishWaits(now: now)
    }

    /// Ends all waits and stops what cues have started.
    func stopAll(now: UInt64) {
        runs = []
        actions.stopAll(time: now)
        publishWaits(now: now)
    }

    /// Fires one cue: it is carried out at once, or begins its pre-wait.
    private func begin(_ place: Int, at time: UInt64) {
        guard let cue = cues[place] else { return }
        // A running cue restarts, and other runs that wait to fire it are dropped.
        runs.removeAll { $0.place == place || $0.leads(to: place) }
        hub.publish(index(.current), .text(cue.title))
        if standby == place { putOnStandby(self.place(after: place)) }
        if cue.preWait == .zero {
            act(place, cue, at: time)
        } else {
            runs.append(CueRun(place: place, cue: cue, phase: .preWait(until: time &+ cue.preWait.nanoseconds)))
        }
    }

    private func act(_ place: Int, _ cue: Cue, at time: UInt64) {
        var end = CueEnd.at(time)
        switch cue.action {
        case .stopAll: stopAll(now: time)
        case .cue(let number):
            if let target = order.first(where: { cues[$0]?.number == number }) {
                runs.append(CueRun(place: place, cue: cue, phase: .continuing(until: time, next: target)))
            } else {
                hub.notice("cue \(cue.title): there is no cue \(number) to fire")
            }
        default: end = actions.perform(cue, time: time)
        }
        guard let follow = cue.follow, let next = self.place(after: place) else { return }
        switch follow {
        case .continues(let wait):
            runs.append(CueRun(place: place, cue: cue, phase: .continuing(until: time &+ wait.nanoseconds, next: next)))
        case .follows: runs.append(CueRun(place: place, cue: cue, phase: .acting(end, next: next)))
        }
    }

    /// Carries out everything that is due, the earliest first. A wait begins at the exact end of the one before it, so that the time
    /// between two calls does not add up.
    func advance(now: UInt64) {
        var fired: Set<Int> = []
        while let at = earliest(now: now, except: fired) {
            let run = runs.remove(at: at)
            switch run.phase {
            case .preWait(let time): act(run.place, run.cue, at: time)
            case .continuing(let time, let next):
                // At most once per call, so that cues that fire each other cannot block the engine.
                fired.insert(next)
                begin(next, at: time)
            case .acting(let end, let next):
                fired.insert(next)
                if case .at(let time) = end { begin(next, at: time) } else { begin(next, at: now) }
            }
        }
    }

    private func earliest(now: UInt64, except fired: Set<Int>) -> Int? {
        let due = runs.indices.filter { place in
            let run = runs[place]
            guard !fired.contains(where: run.leads) else { return false }
            if case .acting(let end, _) = run.phase { return actions.hasEnded(end, now: now) }
            return run.due.map { $0 <= now } ?? false
        }
        return due.min { (runs[$0].due ?? now) < (runs[$1].due ?? now) }
    }

    // MARK: Thirty times a second

    /// - Parameters:
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    ///   - played: parts of the recording that were played since the last call.
    func tick(now: UInt64, played: [PositionWatch.Part]) {
        let isArmed = hub.value(index(.triggers)) == .number(1)
        var timed: [(place: Int, time: TimeOfDay)] = []
        var positioned: [(place: Int, seconds: Double)] = []
        for place in order {
            switch cues[place]?.trigger {
            case .time(let time): timed.append((place, time))
            case .position(let position): positioned.append((place, position.seconds))
            case nil: break
            }
        }
        // The clock is checked in any case, so that missed times do not count when the triggers are switched on.
        let passed = days.look(wallClock(), timed)
        let reached = played.flatMap { part in
            positioned.filter { $0.seconds > part.after && $0.seconds <= part.through }.sorted { $0.seconds < $1.seconds }.map(\.place)
        }
        if isArmed { for place in passed + reached { begin(place, at: now) } }
        advance(now: now)
        publishWaits(now: now)
    }

    func publishStandby() { hub.publish(index(.standby), .text(standby.flatMap { cues[$0]?.title } ?? "")) }

    func publishWaits(now: UInt64) {
        let coming = Set(runs.map(\.comingPlace))
        let waiting = order.filter { coming.contains($0) }.compactMap { cues[$0].map { "\($0.number)" } }
        hub.publish(index(.waiting), .text(waiting.joined(separator: "\n")))
        let next = runs.compactMap(\.due).min()
        let seconds = next.map { $0 > now ? Float($0 - now) / 1e9 : 0 } ?? 0
        hub.publish(index(.remaining), .number((seconds * 10).rounded(.up) / 10))
    }
}

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
