public import Parameters
public import Rack

/// What one gesture changed, so that it can be taken back and made again.
public struct EditStep: Sendable, Equatable {
    /// As something was, and as it is.
    public struct Change<Value: Sendable & Equatable>: Sendable, Equatable {
        public var before: Value
        public var after: Value

        public init(before: Value, after: Value) {
            self.before = before
            self.after = after
        }
    }

    /// One parameter, by its address.
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

    /// What was done, in words; nil for what the settings say.
    public var title: String?
    public var settings: [Setting]
    /// What stands in racks, by their names.
    public var racks: [String: Change<RackDescription>]
    /// When scenes were stored or removed.
    public var scenes: Change<[Scene]>?
    /// When another session was opened.
    public var session: Change<OpenSession>?

    public init(title: String? = nil, settings: [Setting] = [], racks: [String: Change<RackDescription>] = [:]) {
        self.title = title
        self.settings = settings
        self.racks = racks
    }

    /// For a button: what was done.
    public var words: String {
        if let title { return title }
        guard let first = settings.first else {
            return racks.keys.sorted().map { "Effects, rack \($0.split(separator: "/").joined(separator: " "))" }.joined(separator: "; ")
        }
        let line = SessionDifference.line(first.spec, first.address, first.before, first.after)
        return settings.count == 1 ? line : "\(line), and \(settings.count - 1) more"
    }

    /// Whether there is nothing to be taken back.
    public var isEmpty: Bool {
        session == nil && scenes == nil && racks.isEmpty && settings.allSatisfy { $0.before == $0.after }
    }

    /// Whether it is of numbers and switches alone, so that others of the same gesture may join it.
    public var isGesture: Bool { title == nil && racks.isEmpty && scenes == nil && session == nil }
}
