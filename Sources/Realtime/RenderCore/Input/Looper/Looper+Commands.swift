/// Carries out the commands of clients.
extension Looper {
    /// Whether a command can be carried out now; a fade may have to end first.
    package var isReady: Bool {
        @_noLocks @_noAllocation get {
            closing == 0 && exchange == 0 && !isEnding && (isPlaying || copyLeft == 0)
        }
    }

    /// Carries out a command, or lets it wait for the gate; with the settings of the last block where nothing else is said.
    @_noLocks @_noAllocation
    package mutating func perform(_ command: LooperCommand, unit: Double) {
        switch command {
        case .record: press(unit, overdubs: false)
        case .overdub: press(unit, overdubs: true)
        case .play: playOrStop(unit)
        case .undo: undo()
        case .redo: redo()
        case .clear: end(.clear)
        }
    }

    /// Goes on to the next state: recording, playing, overdubbing and playing again.
    @_noLocks @_noAllocation
    private mutating func press(_ unit: Double, overdubs: Bool) {
        switch phase {
        case .empty: phase = .waiting
        case .waiting: phase = .empty
        case .recording: endRecording(unit, overdubs: overdubs)
        case .playing: awaitsOverdub.toggle()
        case .stopped: awaitsPlay.toggle()
        }
    }

    @_noLocks @_noAllocation
    private mutating func playOrStop(_ unit: Double) {
        switch phase {
        case .empty: break
        case .waiting: phase = .empty
        case .recording: endRecording(unit, overdubs: false)
        case .playing: end(.stop)
        case .stopped: awaitsPlay.toggle()
        }
    }

    /// Carries out what waits, at the frame of the gate.
    /// - Parameter frames: of the block.
    @_noLocks @_noAllocation
    mutating func openGate(_ frames: Int) {
        if case .waiting = phase { begin() }
        if awaitsPlay {
            phase = .playing
            (awaitsPlay, position, audible) = (false, 0, 0)
        }
        guard awaitsOverdub, exchange == 0, closing == 0 else { return }
        awaitsOverdub = false
        if isOverdubbing { isOverdubbing = false } else { beginOverdub(frames) }
    }

    // MARK: Recording

    @_noLocks @_noAllocation
    private mutating func begin() {
        phase = .recording
        (recorded, length, position, current, overdub, copyLeft) = (0, 0, 0, 0, 0, 0)
        (isHalfSpeed, overdubsAfterClosing, canUndo, canRedo) = (false, false, false, false)
        closeAt = layers.capacity
        guard settings.unit > 0 else { return }
        let most = Int(clamping: Double(Int(clamping: Double(layers.capacity) / settings.unit)) * settings.unit)
        if most >= 4 &* fade { closeAt = most }
    }

    /// Lets the recording end now or, with a unit, when its length is a whole number of units.
    @_noLocks @_noAllocation
    private mutating func endRecording(_ unit: Double, overdubs: Bool) {
        overdubsAfterClosing = overdubs
        let least = max(recorded, 4 &* fade)
        closeAt = least
        if unit > 0 {
            let passed = Int(clamping: Double(least) / unit)
            let count = Double(passed) * unit < Double(least) ? passed &+ 1 : passed
            let wanted = Int(clamping: Double(count) * unit + 0.5)
            if wanted <= layers.capacity { closeAt = max(least, wanted) }
        }
        if recorded == closeAt { close() }
    }

    /// Begins to play the recording; its end still fades out at the beginning of the loop.
    @_noLocks @_noAllocation
    mutating func close() {
        phase = .playing
        (length, position, audible, closing) = (recorded, 0, 0, fade)
    }

    // MARK: Overdubs

    /// - Parameter frames: of the block, at least.
    @_noLocks @_noAllocation
    mutating func beginOverdub(_ frames: Int) {
        overdubsAfterClosing = false
        guard isPlaying, !isEnding, !isHalfSpeed, !settings.isHalfSpeed else { return }
        isOverdubbing = true
        // Soon after another one, it belongs to the same layer.
        if canUndo && written == current && (overdub > 0 || copyLeft > 0) { return }
        written = 1 &- current
        (copyAt, copyLeft) = (position >> 1, length)
        copyAhead(frames)
        current = written
        (canUndo, canRedo) = (true, false)
    }

    /// Copies the loop to the layer that is overdubbed, faster than it is played.
    @_noLocks @_noAllocation
    mutating func copyAhead(_ frames: Int) {
        var budget = min(copyLeft, max(4096, 64 &* frames))
        copyLeft = copyLeft &- budget
        while budget > 0 {
            let count = min(budget, length &- copyAt)
            layers.copy(to: written, from: copyAt, frames: count)
            copyAt = copyAt &+ count == length ? 0 : copyAt &+ count
            budget = budget &- count
        }
    }

    @_noLocks @_noAllocation
    private mutating func undo() {
        switch phase {
        case .waiting, .recording: return end(.clear)
        case .empty, .playing, .stopped: break
        }
        (isOverdubbing, awaitsOverdub) = (false, false)
        guard canUndo else { return }
        (canUndo, canRedo) = (false, true)
        changeLayer()
    }

    @_noLocks @_noAllocation
    private mutating func redo() {
        guard canRedo else { return }
        (canUndo, canRedo) = (true, false)
        changeLayer()
    }

    @_noLocks @_noAllocation
    private mutating func changeLayer() {
        current = 1 &- current
        exchange = isPlaying ? fade : 0
    }

    // MARK: Ends

    @_noLocks @_noAllocation
    private mutating func end(_ wanted: Ending) {
        (isOverdubbing, awaitsOverdub, awaitsPlay) = (false, false, false)
        if isPlaying {
            ending = wanted
        } else if case .clear = wanted {
            clear()
        }
    }

    /// Stops or clears the loop after it has faded out.
    @_noLocks @_noAllocation
    mutating func finish() {
        if case .clear = ending { clear() } else { phase = .stopped }
        ending = .none
        (position, audible, overdub) = (0, 0, 0)
    }

    @_noLocks @_noAllocation
    private mutating func clear() {
        phase = .empty
        (length, position, recorded, copyLeft, canUndo, canRedo) = (0, 0, 0, 0, false, false)
    }
}
