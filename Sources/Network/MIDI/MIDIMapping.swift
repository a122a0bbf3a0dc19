/// A controller and the parameter that it moves. Positions are 0 to 1 along the controller's travel and along the parameter's scale.
public struct MIDIMapping: Hashable, Sendable {
    public var controller: MIDIController
    /// 1 to 16; 0 for any.
    public var channel: Int
    /// Address of the parameter.
    public var target: String
    /// Positions of the controller at which the parameter reaches the ends of `output`.
    public var input = Ends.whole
    /// Positions of the parameter; reversed when the first is larger.
    public var output = Ends.whole
    /// -1 to 1: 0 is linear, above it the parameter moves late, below early.
    public var curve: Float = 0
    /// Whether every press goes from one end of `output` to the other, instead of the parameter following the controller.
    public var isToggle = false

    /// Two positions, each 0 to 1.
    public struct Ends: Hashable, Sendable {
        public var first: Float
        public var last: Float

        public static let whole = Ends(first: 0, last: 1)

        public init(first: Float, last: Float) {
            self.first = first
            self.last = last
        }
    }

    public init(_ controller: MIDIController, channel: Int, target: String) {
        self.controller = controller
        self.channel = channel
        self.target = target
    }

    public func follows(_ reading: ControllerReading) -> Bool {
        controller == reading.controller && (channel == 0 || channel == reading.channel)
    }

    /// Position of the parameter for a position of the controller, each 0 to 1.
    public func position(_ share: Float) -> Float {
        let way = input.last - input.first
        let part = way == 0 ? (share >= input.first ? 1 : 0) : min(max((share - input.first) / way, 0), 1)
        return output.first + (output.last - output.first) * Self.curved(part, curve)
    }
}
