/// The declaration of one parameter: all its properties except its value.
///
/// OSC, OSCQuery, the panel, session files, the parameter table and the realtime store all read this declaration; none
/// of them repeats a name, a range or an initial value.
public struct ParameterSpec: Sendable, Equatable {
    public var title: String
    public var summary: String
    public var kind: Kind = .number(logarithmic: false)
    public var unit: Unit = .none
    public var range: ClosedRange<Float>
    public var initial: ParameterValue
    public var access: Access = .readWrite
    public var role: Role?
    /// Words accepted instead of a number; the parameter's handler interprets them.
    public var words: [String] = []
    /// The list that supplies the names of a choice; nil for names given in the declaration.
    public var list: ChoiceList?

    /// Names of a choice in earlier releases that are still accepted, each with the current one.
    public var formerNames: [String: String] = [:]

    /// The law by which the sound follows a change.
    public var smoothing = Smoothing.none
    /// Angle in degrees that wraps around: a value out of range is brought into it by whole turns instead of being clamped.
    public var isCircular = false
    /// A unit quaternion: a value of any length but 0 is scaled to length 1.
    public var isRotation = false
    /// A vector of whole numbers, such as places in a list.
    var isWholeVector = false
    /// Every value makes the program compute something again, so scenes set it at once instead of ramping to it.
    public var isStepped = false
    /// A name of a file to write: a second argument, true, replaces an existing file.
    public var isConfirmable = false
    /// A text for which a number may be sent as well: its digits are the text.
    public var takesNumbers = false
    /// A text after which a number may come: a duration in seconds, or a position.
    public var isNumbered = false
    /// The longest duration that may follow a name, seconds.
    public static let longestDuration: Float = 3600
    /// True for a text of two lines that is sent as two texts.
    public var isPair = false
    /// True for a text without line breaks.
    public var isOneLine = false
    /// The keeping given in the declaration; nil to apply the rule of ``keeping``.
    var declaredKeeping: Keeping?

    /// Bytes of UTF-8 that a text from outside may have; a path has 4096 at most.
    public var longestText = 4096
    /// Numbers that a list from outside may have: one for each microphone.
    public var mostNumbers = 64

    /// The interpolation method that the value matters for; nil for every one. Displays leave it out with another method.
    public var method: String?

    /// Position among the parameters of its container, for displays; nil for none in particular.
    public var place: Int?

    /// All other properties are set by modifiers.
    package init(
        title: String, summary: String, kind: Kind = .number(logarithmic: false), unit: Unit = .none, range: ClosedRange<Float>,
        initial: ParameterValue, access: Access = .readWrite, role: Role? = nil, words: [String] = [], list: ChoiceList? = nil,
        smoothing: Smoothing = .none
    ) {
        (self.title, self.summary, self.kind, self.unit, self.range, self.initial) = (title, summary, kind, unit, range, initial)
        (self.access, self.role, self.words, self.list, self.smoothing) = (access, role, words, list, smoothing)
    }

    /// Places in which the value is kept: unless declared otherwise, sessions and scenes for values that can be set and read.
    public var keeping: Keeping { declaredKeeping ?? (access == .readWrite ? .scene : .nothing) }

    /// True when only whole numbers are accepted, as for counts and choices.
    public var isWhole: Bool {
        switch kind {
        case .integer, .choice: true
        default: isWholeVector
        }
    }

    /// True for values that undo brings back.
    public var isKept: Bool { keeping != .nothing }

    /// The number of numbers in a value; nil when it depends on the recording.
    public var count: Int? {
        switch kind {
        case .vector(let names): names.count
        case .list: nil
        case .text, .impulse: 0
        default: 1
        }
    }

    /// True for actions, and for files to load and save: their messages must not be lost and are not repeated.
    /// OSCQuery clients send them over the WebSocket instead of UDP.
    public var isCritical: Bool { access != .read && (kind == .impulse || kind == .text) }

    /// True when the value has a word in the realtime store.
    public var isScalar: Bool { count == 1 }
}

extension ParameterSpec {
    /// The unit of the numbers, spelled as in OSCQuery's list of units, or in the same style where the list has none.
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
        case cent = "time.cents"
        case beatsPerMinute = "time.bpm"
        case degreesPerMinute = "angle.degree-per-minute"
        case percent = "ratio.percent"
        case partsPerMillion = "ratio.ppm"
        case celsius = "temperature.celsius"
        case kilobitsPerSecond = "data.kilobit-per-second"
    }

    /// The type of the value, hence its OSC type and its control.
    public enum Kind: Sendable, Equatable {
        case number(logarithmic: Bool)
        case integer
        case toggle
        case choice([String])
        /// A fixed number of floats that belong together, one name each.
        case vector([String])
        /// As many floats as there are microphones, or a multiple of them.
        case list
        case text
        /// No value: an action.
        case impulse
    }

    /// Read and write access; raw values are OSCQuery's.
    public enum Access: Int, Sendable { case read = 1, write = 2, readWrite = 3 }
}

/// Places in which the program keeps a value, to bring it back later.
public enum Keeping: String, Sendable {
    /// Nowhere: reports, commands, and the current orientation of a head.
    case nothing = ""
    /// Undo and, in a separate field, the session file.
    case field = "session (own field)"
    /// Undo and sessions.
    case session = "session"
    /// Undo, sessions, and the scenes in them.
    case scene = "session, scenes"
}
