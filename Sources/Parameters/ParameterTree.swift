/// Address to slot, for every parameter of this run. Control side only.
///
/// Groups lie one after the other in declaration order, so the slot of a parameter is the
/// first slot of its group's instance plus its raw value.
public struct ParameterTree: Sendable {
    public struct Node: Sendable {
        public let slot: Int
        public let address: String
        public let spec: ParameterSpec
    }

    public let nodes: [Node]
    /// Summary of each container, by address.
    public let containers: [String: String]
    /// How many listeners there are.
    public let listeners: Int
    /// How many trackers can be attached.
    public let trackers: Int
    private let slots: [String: Int]

    /// - Parameters:
    ///   - listeners: how many heads listen, at least 1.
    ///   - trackers: how many can be attached.
    ///   - methods: the renderer's interpolation methods, in the order of its enum.
    ///   - method: what a listener begins with; nil for the last one.
    public init(listeners: Int, trackers: Int = 0, methods: [String], method: String? = nil) {
        let initial = method.flatMap { methods.firstIndex(of: $0) } ?? methods.count - 1
        var nodes: [Node] = []
        var containers = ["/": "Vestibule: motion-tracked binaural engine."]
        func add<Group: ParameterGroup>(_: Group.Type, instances: Int = 1) {
            for instance in 0..<instances {
                containers[Group.container(instance)] = Group.summary
                for parameter in Group.allCases {
                    var spec = parameter.spec
                    if parameter as? ListenerParameter == .method {
                        spec = .choice(spec.title, methods, initial: initial, spec.summary, role: spec.role)
                    }
                    nodes.append(.init(slot: nodes.count, address: parameter.address(instance), spec: spec))
                }
            }
        }
        add(ListenerParameter.self, instances: listeners)
        add(TrackerParameter.self, instances: trackers)
        add(TransportParameter.self)
        add(SessionParameter.self)
        add(ArrayParameter.self)
        add(ArraySetting.self)
        add(MicrophoneMeter.self)
        add(ListenerMeter.self, instances: listeners)
        add(EngineParameter.self)
        add(LatencyParameter.self)
        add(ListenerLatency.self, instances: listeners)
        add(ClientParameter.self)
        self.nodes = nodes
        self.containers = containers
        self.listeners = listeners
        self.trackers = trackers
        self.slots = Dictionary(uniqueKeysWithValues: nodes.map { ($0.address, $0.slot) })
    }

    public func slot(at address: String) -> Int? { slots[address] }

    /// The slot of a declared parameter; it is an error of the program when it is not in the tree.
    public func slot<Group: ParameterGroup>(_ parameter: Group, _ instance: Int = 0) -> Int {
        slots[parameter.address(instance)]!
    }
}

extension ParameterTree {
    /// The table a person reads in `protocol/parameters.md`; a test keeps file and code equal.
    public var markdown: String {
        nodes.reduce(
            into: "| address | type | title | range | initial | unit | access |\n"
                + "| --- | --- | --- | --- | --- | --- | --- |\n"
        ) { table, node in
            let spec = node.spec
            let range =
                switch spec.kind {
                case .choice(let names): names.joined(separator: ", ")
                case .text, .impulse, .toggle: ""
                default: "\(spec.range.lowerBound) to \(spec.range.upperBound)"
                }
            let initial = spec.initial.numbers.map { "\($0)" }.joined(separator: " ")
            table += "| `\(node.address)` | \(spec.oscType) | \(spec.title): \(spec.summary) | \(range) "
                + "| \(initial) | \(spec.unit.rawValue) | \(spec.access) |\n"
        }
    }
}
