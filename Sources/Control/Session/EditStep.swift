public import Parameters
public import Rack

/// The changes of one gesture, which can be undone and redone.
public struct EditStep: Sendable, Equatable {
    /// A value before and after the step.
    public struct Change<Value: Sendable & Equatable>: Sendable, Equatable {
        public var before: Value
        public var after: Value

        public init(before: Value, after: Value) {
            self.before = before
            self.after = after
        }
    }

    /// The change of one parameter.
    public struct Setting: Sendable, Equatable {
        public var address: String
        public var spec: ParameterSpec
        public var before: ParameterValue
        public var after: ParameterValue

        public init(address: String, spec: ParameterSpec, before: ParameterValue, after: ParameterValue) {
            self.address = address
            self.spec = spec
            self.before = before
            self.after = after
        }
    }

    /// Title of the step; nil to describe its settings instead.
    public var title: String?
    public var settings: [Setting]
    /// Changed racks, by name.
    public var racks: [String: Change<RackDescription>]
    /// Changed scenes; nil for no change.
    public var scenes: Change<[Scene]>?
    /// The session that was opened; nil for no change.
    public var session: Change<OpenSession>?

    public init(title: String? = nil, settings: [Setting] = [], racks: [String: Change<RackDescription>] = [:]) {
        self.title = title
        self.settings = settings
        self.racks = racks
    }

    /// The step in words, for a button.
    public var words: String {
        if let title { return title }
        guard let first = settings.first else {
            return racks.keys.sorted().map { "Effects, rack \($0.split(separator: "/").joined(separator: " "))" }.joined(separator: "; ")
        }
        let line = SessionDifference.line(first.spec, first.address, first.before, first.after)
        return settings.count == 1 ? line : "\(line), and \(settings.count - 1) more"
    }

    /// Whether there is nothing to undo.
    public var isEmpty: Bool {
        session == nil && scenes == nil && racks.isEmpty && settings.allSatisfy { $0.before == $0.after }
    }

    /// Whether only parameters change, so that later changes of the same gesture may join the step.
    public var isGesture: Bool { title == nil && racks.isEmpty && scenes == nil && session == nil }
}
