/// Everything the program knows about one parameter, except its value.
///
/// OSC, OSCQuery, the panel, session files, the parameter table and the realtime store all
/// read this; none of them repeats a name, a range or an initial value.
public struct ParameterSpec: Sendable, Equatable {
    /// Spelled as OSCQuery's unit list spells them.
    public enum Unit: String, Sendable, Codable {
        case none = ""
        case decibel = "gain.db"
        case linearGain = "gain.linear"
        case hertz = "time.hz"
        case second = "time.second"
        case millisecond = "time.ms"
        case sample = "time.samples"
        case degree = "angle.degree"
        case metre = "distance.m"
    }

    /// What the value is, hence its OSC type and which control shows it.
    public enum Kind: Sendable, Equatable {
        case number(logarithmic: Bool)
        case integer
        case toggle
        case choice([String])
        /// A fixed number of floats that belong together, one name each.
        case vector([String])
        /// As many floats as there are microphones (times `perMicrophone`).
        case list
        case text
        /// No value: something happens when it is sent.
        case impulse
    }

    /// Who may do what; raw values are OSCQuery's.
    public enum Access: Int, Sendable { case read = 1, write = 2, readWrite = 3 }

    /// What a display may do with the value beyond a plain control. Sent as an OSCQuery tag
    /// (or as EXTENDED_TYPE for orientations), so that a panel needs no address.
    public enum Role: String, Sendable, CaseIterable {
        case orientationEuler = "orientation.euler.ypr"
        case orientationQuaternion = "orientation.quaternion.wxyz"
        case front, recenter, method, earAzimuth = "ear-azimuth"
        case microphoneAzimuth = "microphone.azimuth", radius
        case microphonePeak = "microphone.peak", microphoneRMS = "microphone.rms"
        case earPeak = "ear.peak", earRMS = "ear.rms"
        case lowWeight = "weight.low", highWeight = "weight.high", methodLatency = "method.latency", crossover
        case play, pause, stop, seek, loop, state, position, duration, recording
        case load, period, rate, count, latency, notice, progress, kick
        case trackerSource = "tracker.source", trackerListener = "tracker.listener", trackerState = "tracker.state"
        case trackerPose = "tracker.pose", trackerRate = "tracker.rate", trackerAge = "tracker.age"
        case trackerRecenter = "tracker.recenter", trackerOrientation = "tracker.orientation"
        case trackerProblem = "tracker.problem", inCharge = "tracker.in-charge", mount = "tracker.mount"
        case calibrate = "tracker.calibrate", calibrationCancel = "tracker.cancel", guide = "tracker.guide"
        case wayTotal = "way.total", wayTransmission = "way.transmission", wayWaiting = "way.waiting"
        case wayRendering = "way.rendering", wayOutput = "way.output", wayBeside = "way.beside"
        case wayHistogram = "way.histogram", wayCount = "way.count"
        case rackLayout = "rack.layout", rackAdd = "rack.add", rackRemove = "rack.remove", rackPreset = "rack.preset"
        case slotEffect = "slot.effect", slotBypass = "slot.bypass", slotMix = "slot.mix"
        case slotLevel = "slot.level", slotReduction = "slot.reduction", slotInterval = "slot.interval", slotState = "slot.state",
            slotProgress = "slot.progress"
        case branchMix = "branch.mix"
        case bandShape = "band.shape", bandFrequency = "band.frequency", bandGain = "band.gain", bandQ = "band.q"
        case curveThreshold = "curve.threshold", curveRatio = "curve.ratio", curveKnee = "curve.knee"
        case curveMakeUp = "curve.make-up"
        case inputPeak = "input.peak", cuePlay = "cue.play"
        case tunerRun = "tuner.run", tunerNote = "tuner.note", tunerCents = "tuner.cents"
        case metronomeRun = "metronome.run", metronomeTempo = "metronome.tempo", metronomeTap = "metronome.tap"
        case metronomeBeat = "metronome.beat", metronomeBeats = "metronome.beats"
        case sessionName = "session.name", sessionChanged = "session.changed", sessionRecent = "session.recent"
        case sessionSave = "session.save", sessionSaveAs = "session.save-as", sessionLoad = "session.load"
        case sessionRevert = "session.revert", sessionCompare = "session.compare", sessionDifference = "session.difference"
        case undo, redo, undoWords = "undo.words", redoWords = "redo.words"
        case sceneNames = "scene.names", sceneStore = "scene.store", sceneRecall = "scene.recall"
        case objectSource = "object.source", objectName = "object.name", objectAzimuth = "object.azimuth"
        case objectElevation = "object.elevation", objectDistance = "object.distance", objectGain = "object.gain"
        case objectMute = "object.mute", objectState = "object.state", objectSounds = "object.sounds"
        case sceneRemove = "scene.remove", sceneCurrent = "scene.current", sceneCrossfade = "scene.crossfade"
    }

    public var title: String
    public var summary: String
    public var kind: Kind = .number(logarithmic: false)
    public var unit: Unit = .none
    public var range: ClosedRange<Float>
    public var initial: ParameterValue
    public var access: Access = .readWrite
    public var role: Role?
    /// Words that are taken in place of a number; what they mean is the handler's.
    public var words: [String] = []
    /// Every value of it makes something be worked out anew, so that scenes set it at once instead of walking there.
    public var isStepped = false

    /// Where it stands among the parameters of its container, for displays; nil for anywhere.
    public var place: Int?

    /// The same for what is worked out anew with every value.
    var stepped: Self {
        var spec = self
        spec.isStepped = true
        return spec
    }

    /// The same with a role.
    func with(_ role: Role) -> Self {
        var spec = self
        spec.role = role
        return spec
    }

    /// The nearest number this parameter accepts. NaN becomes the initial value.
    public func clamped(_ value: Float) -> Float {
        if value.isNaN { return initial.numbers.first ?? 0 }
        let inside = min(max(value, range.lowerBound), range.upperBound)
        switch kind {
        case .integer, .toggle, .choice: return inside.rounded()
        default: return inside
        }
    }

    /// How many numbers a value of this kind has; nil when that depends on the recording.
    public var count: Int? {
        switch kind {
        case .vector(let names): names.count
        case .list: nil
        case .text, .impulse: 0
        default: 1
        }
    }

    /// True for what must not be lost on its way and is not repeated: actions, and files to load and save.
    /// OSCQuery clients send those over the WebSocket instead of UDP.
    public var isCritical: Bool { access != .read && (kind == .impulse || kind == .text) }

    /// True when the realtime side has a word for it.
    public var isScalar: Bool { count == 1 }
}
