extension ParameterSpec {
    /// The display that shows a value, beyond a plain control.
    ///
    /// OSCQuery publishes it as a tag (as EXTENDED_TYPE for orientations), so that a panel finds a value by its role
    /// instead of its address. Roles serve displays alone: nothing that the program does with a value depends on one.
    public enum Role: String, Sendable, CaseIterable {
        case orientationEuler = "orientation.euler.ypr"
        case orientationQuaternion = "orientation.quaternion.wxyz"
        case front, recenter, method, earAzimuth = "ear-azimuth"
        case microphoneAzimuth = "microphone.azimuth", microphoneMute = "microphone.mute", radius
        case microphonePeak = "microphone.peak", microphoneRMS = "microphone.rms"
        case earPeak = "ear.peak", earRMS = "ear.rms", earReduction = "ear.reduction"
        case lowWeight = "weight.low", highWeight = "weight.high", methodLatency = "method.latency", crossover
        case play, pause, stop, seek, loop, state, position, duration, recording, overview
        case load, period, rate, count, latency, notice, noticeTime = "notice.time", progress, kick
        case trackerSource = "tracker.source", trackerListener = "tracker.listener", trackerState = "tracker.state"
        case trackerPose = "tracker.pose", trackerRate = "tracker.rate", trackerAge = "tracker.age"
        case trackerRecenter = "tracker.recenter", trackerOrientation = "tracker.orientation"
        case trackerProblem = "tracker.problem", inCharge = "tracker.in-charge", mount = "tracker.mount"
        case calibrate = "tracker.calibrate", calibrationCancel = "tracker.cancel", guide = "tracker.guide"
        case latencyTotal = "latency.total", latencyTransmission = "latency.transmission"
        case latencyWaiting = "latency.waiting", latencyRendering = "latency.rendering"
        case latencyOutput = "latency.output", latencyInterval = "latency.interval"
        case latencyHistogram = "latency.histogram", latencyCount = "latency.count"
        case rackLayout = "rack.layout", rackAdd = "rack.add", rackRemove = "rack.remove", rackPreset = "rack.preset"
        case rackTitle = "rack.title", rackLoad = "rack.load", rackSave = "rack.save"
        case rackBypass = "rack.bypass", rackSide = "rack.side", rackCopy = "rack.copy"
        case rackInput = "rack.input", rackOutput = "rack.output"
        case slotEffect = "slot.effect", slotBypass = "slot.bypass", slotMix = "slot.mix", slotLevel = "slot.level"
        case slotReduction = "slot.reduction", slotInterval = "slot.interval", slotState = "slot.state"
        case slotProgress = "slot.progress", branchMix = "branch.mix"
        case bandShape = "band.shape", bandFrequency = "band.frequency", bandGain = "band.gain", bandQ = "band.q"
        case curveThreshold = "curve.threshold", curveRatio = "curve.ratio", curveKnee = "curve.knee"
        case curveMakeUp = "curve.make-up"
        case arraySource = "array.source", arrayInput = "array.input", arrayLatency = "array.latency"
        case arrayProblem = "array.problem"
        case inputPeak = "input.peak", inputSource = "input.source", cuePlay = "cue.play"
        case tunerRun = "tuner.run", tunerNote = "tuner.note", tunerCents = "tuner.cents"
        case tunerMute = "tuner.mute"
        case metronomeRun = "metronome.run", metronomeTempo = "metronome.tempo", metronomeTap = "metronome.tap"
        case metronomeBeat = "metronome.beat", metronomeBeats = "metronome.beats"
        case looperRecord = "looper.record", looperOverdub = "looper.overdub", looperPlay = "looper.play"
        case looperUndo = "looper.undo", looperRedo = "looper.redo", looperClear = "looper.clear"
        case looperState = "looper.state", looperLength = "looper.length"
        case looperPosition = "looper.position", looperCanUndo = "looper.can-undo", looperCanRedo = "looper.can-redo"
        case sessionName = "session.name", sessionChanged = "session.changed", sessionRecent = "session.recent"
        case sessionSave = "session.save", sessionSaveAs = "session.save-as", sessionLoad = "session.load"
        case sessionDelete = "session.delete", sessionRename = "session.rename", sessionDuplicate = "session.duplicate"
        case sessionRevert = "session.revert", sessionCompare = "session.compare"
        case sessionDifference = "session.difference"
        case undo, redo, undoWords = "undo.words", redoWords = "redo.words"
        case sceneNames = "scene.names", sceneStore = "scene.store", sceneRecall = "scene.recall"
        case sceneRemove = "scene.remove", sceneCurrent = "scene.current", sceneCrossfade = "scene.crossfade"
        case objectSource = "object.source", objectName = "object.name", objectAzimuth = "object.azimuth"
        case objectElevation = "object.elevation", objectDistance = "object.distance", objectGain = "object.gain"
        case objectMute = "object.mute", objectState = "object.state", objectSounds = "object.sounds"
        case objectXYZ = "object.xyz", objectReference = "object.reference", objectBubble = "object.bubble"
        case objectAir = "object.air", objectDoppler = "object.doppler", objectDirectivity = "object.directivity"
        case objectYaw = "object.yaw", objectPitch = "object.pitch", objectSolo = "object.solo"
        case airTemperature = "air.temperature", airHumidity = "air.humidity"
        case hrtfFile = "hrtf.file"
        case listenerAdd = "listener.add", listenerRemove = "listener.remove", listenerKeep = "listener.keep"
        case listenerName = "listener.name", listenerCount = "listener.count", listenerWired = "listener.wired"
        case listenerGain = "listener.gain", listenerMute = "listener.mute", listenerGroup = "listener.group"
        case clientDevice = "client.device", clientMode = "client.mode", clientBattery = "client.battery"
        case clientCharging = "client.charging", clientDelay = "client.delay"
        case groupName = "group.name", groupDelay = "group.delay", groupMute = "group.mute", groupMove = "group.move"
        case groupMembers = "group.members"
        case listenerOutput = "listener.output", deviceChannels = "device.channels"
        case listenerMost = "listener.most", listenerLost = "listener.lost", listenerLoad = "listener.load"
        case listedRacks = "listed.racks", listedRecordings = "listed.recordings", listedResponses = "listed.responses"
        case listedHRTFs = "listed.hrtfs", listedTrackers = "listed.trackers"
        case listedTests = "listed.tests", listedResults = "listed.results"
        case testDefinition = "test.definition", testParticipant = "test.participant", testListener = "test.listener"
        case testSeed = "test.seed", testStart = "test.start", testStop = "test.stop", testState = "test.state"
        case testRunning = "test.running"
        case midiMessage = "midi.message", midiLearn = "midi.learn", midiClear = "midi.clear", midiRack = "midi.rack"
        case midiProgramChannel = "midi.program-channel", midiMoved = "midi.moved", midiInputs = "midi.inputs"
        case midiMapping = "midi.mapping"
        case cueListGo = "cue-list.go", cueListBack = "cue-list.back", cueListSelect = "cue-list.select"
        case cueListFire = "cue-list.fire", cueListStop = "cue-list.stop", cueListStore = "cue-list.store"
        case cueListRemove = "cue-list.remove", cueListRenumber = "cue-list.renumber", cueListClear = "cue-list.clear"
        case cueListTriggers = "cue-list.triggers", cueListCurrent = "cue-list.current", cueListStandby = "cue-list.standby"
        case cueListWaiting = "cue-list.waiting", cueListRemaining = "cue-list.remaining"
        case takeStart = "take.start", takeStop = "take.stop", takeName = "take.name", takeFormat = "take.format"
        case takePreRoll = "take.pre-roll", takeUsePreRoll = "take.use-pre-roll", takeRecording = "take.recording"
        case takeCurrent = "take.current", takeDuration = "take.duration", takeLost = "take.lost"
        case takeRemaining = "take.remaining", takeProblem = "take.problem", takeChanges = "take.changes"
        case takeDelete = "take.delete", takeEars = "take.ears", takeArray = "take.array", takeInput = "take.input"
        case takeKept = "take.kept"
        case deviceName = "device.name", deviceState = "device.state", deviceProblem = "device.problem"
        case deviceAvailable = "device.available", deviceSelect = "device.select", deviceOrder = "device.order"
        case deviceLost = "device.lost", deviceLosses = "device.losses", deviceDelay = "device.delay"
        case deviceResidual = "device.residual", deviceJumps = "device.jumps", latencySource = "latency.source"
        case deckList = "deck.list", deckAdd = "deck.add", deckRemove = "deck.remove", deckMove = "deck.move"
        case deckClear = "deck.clear", deckPlay = "deck.play", deckNext = "deck.next", deckPrevious = "deck.previous"
        case deckRepeat = "deck.repeat", deckCrossfade = "deck.crossfade", deckCurrent = "deck.current"
        case musicSource = "music.source", musicRun = "music.run", musicState = "music.state", musicBuffered = "music.buffered"
        case musicTitle = "music.title", musicProblem = "music.problem", musicLosses = "music.losses"
        case cueListEntry = "cue-list.entry", cueListEntryFire = "cue-list.entry-fire"

        /// The name until release 0.1; published beside the present one for a release.
        public var formerName: String? {
            switch self {
            case .latencyInterval: "way.beside"
            case .latencyTotal, .latencyTransmission, .latencyWaiting, .latencyRendering, .latencyOutput, .latencyHistogram,
                .latencyCount:
                "way" + rawValue.drop { $0 != "." }
            default: nil
            }
        }
    }
}
