/// Address to slot, for every parameter of this run. Control side only.
///
/// Groups lie one after the other in declaration order, so the slot of a parameter is the
/// first slot of its group's instance plus its raw value.
public struct ParameterTree: Sendable {
    public struct Node: Sendable {
        public let slot: Int
        public let address: String
        public let spec: ParameterSpec
        /// Comes and goes while the program runs; the realtime side has no word for it.
        public var isTransient = false
    }

    /// By slot. One that was taken out again has no address.
    public private(set) var nodes: [Node]
    /// Summary of each container, by address.
    public private(set) var containers: [String: String]
    /// Topic of each container that has one, by address.
    public let topics: [String: Topic]
    /// How many listeners there are.
    public let listeners: Int
    /// How many trackers can be attached.
    public let trackers: Int
    /// How many sound objects there are.
    public let objects: Int
    private var slots: [String: Int]
    private var vacant: [Int] = []
    /// Of each group: the first slot of its first instance, and how many parameters it has.
    private let places: [ObjectIdentifier: (first: Int, count: Int)]

    /// - Parameters:
    ///   - listeners: how many heads listen, at least 1.
    ///   - trackers: how many can be attached.
    ///   - methods: the renderer's interpolation methods, in the order of its enum.
    ///   - method: what a listener begins with; nil for the last one.
    ///   - presets: names of the racks that come with the program.
    ///   - cues: names of the short sounds.
    ///   - objects: how many sound objects there are.
    public init(
        listeners: Int, trackers: Int = 0, methods: [String], method: String? = nil, presets: [String] = [],
        cues: [String] = [], objects: Int = 0
    ) {
        let initial = method.flatMap { methods.firstIndex(of: $0) } ?? methods.count - 1
        var nodes: [Node] = []
        var containers = ["/": "Vestibule: motion-tracked binaural engine."]
        var topics: [String: Topic] = [:]
        var places: [ObjectIdentifier: (first: Int, count: Int)] = [:]
        func add<Group: ParameterGroup>(_: Group.Type, instances: Int = 1) {
            places[ObjectIdentifier(Group.self)] = (nodes.count, Group.allCases.count)
            for instance in 0..<instances {
                containers[Group.container(instance)] = Group.summary
                if let topic = Group.topic { topics[Group.container(instance)] = topic }
                for parameter in Group.allCases {
                    var spec = parameter.spec
                    if parameter as? ListenerParameter == .method {
                        spec = .choice(spec.title, methods, initial: initial, spec.summary, role: spec.role)
                    }
                    if parameter as? RackParameter == .preset {
                        spec = .choice(spec.title, presets, spec.summary, access: spec.access, role: spec.role)
                    }
                    if parameter as? CueParameter == .play {
                        spec = .choice(spec.title, cues, spec.summary, access: spec.access, role: spec.role)
                    }
                    nodes.append(.init(slot: nodes.count, address: parameter.address(instance), spec: spec))
                }
            }
        }
        add(ListenerParameter.self, instances: listeners)
        add(TrackerParameter.self, instances: trackers)
        add(TransportParameter.self)
        add(SessionParameter.self)
        add(SceneParameter.self)
        add(ArrayParameter.self)
        add(ArraySetting.self)
        add(InputParameter.self)
        add(TunerParameter.self)
        add(MetronomeParameter.self)
        add(CueParameter.self)
        if objects > 0 {
            add(ObjectSounds.self)
            add(ObjectScale.self)
        }
        add(ObjectParameter.self, instances: objects)
        add(RackParameter.self, instances: RackPosition.all(listeners: listeners).count)
        add(ProtectionParameter.self)
        add(MicrophoneMeter.self)
        add(ListenerMeter.self, instances: listeners)
        add(EngineParameter.self)
        add(LatencyParameter.self)
        add(ListenerLatency.self, instances: listeners)
        add(ClientParameter.self)
        self.nodes = nodes
        self.containers = containers
        self.topics = topics
        self.places = places
        self.listeners = listeners
        self.trackers = trackers
        self.objects = objects
        self.slots = Dictionary(uniqueKeysWithValues: nodes.map { ($0.address, $0.slot) })
    }

    // MARK: What comes and goes

    /// - Returns: the slot it has until it is removed.
    public mutating func insert(_ address: String, _ spec: ParameterSpec) -> Int {
        let slot = vacant.popLast() ?? nodes.count
        let node = Node(slot: slot, address: address, spec: spec, isTransient: true)
        if slot == nodes.count { nodes.append(node) } else { nodes[slot] = node }
        slots[address] = slot
        return slot
    }

    /// Takes out what ``insert(_:_:)`` put in.
    public mutating func remove(_ slot: Int) {
        precondition(nodes[slot].isTransient)
        slots[nodes[slot].address] = nil
        let nothing = ParameterSpec(title: "", summary: "", kind: .impulse, range: 0...0, initial: .impulse, access: .read)
        nodes[slot] = Node(slot: slot, address: "", spec: nothing, isTransient: true)
        vacant.append(slot)
    }

    /// Another address for what ``insert(_:_:)`` put in.
    public mutating func rename(_ slot: Int, _ address: String) {
        precondition(nodes[slot].isTransient)
        slots[nodes[slot].address] = nil
        nodes[slot] = Node(slot: slot, address: address, spec: nodes[slot].spec, isTransient: true)
        slots[address] = slot
    }

    /// Whether there is a parameter or a container at `path`.
    public func holds(_ path: String) -> Bool {
        slots[path] != nil || containers[path] != nil || nodes.contains { $0.address.hasPrefix(path + "/") }
    }

    /// - Parameter summary: of a container that comes; nil for one that goes.
    public mutating func describe(_ container: String, _ summary: String?) { containers[container] = summary }

    public func slot(at address: String) -> Int? { slots[address] }

    /// The slot of a declared parameter; it is an error of the program when it is not in the tree.
    public func slot<Group: ParameterGroup>(_ parameter: Group, _ instance: Int = 0) -> Int {
        let place = places[ObjectIdentifier(Group.self)]!
        return place.first + instance * place.count + parameter.rawValue
    }
}

extension ParameterTree {
    /// The table a person reads in `protocol/parameters.md`; a test keeps file and code equal.
    public var markdown: String {
        Self.tableHead + nodes.map { Self.row($0.address, $0.spec) }.joined()
    }

    /// The same for what comes and goes with the slots and branches of racks.
    public static var rackMarkdown: String {
        func rows<Group: ParameterGroup>(_: Group.Type) -> String {
            Group.allCases.map { row("RACK\(Group.container)/\($0.leaf)", $0.spec) }.joined()
        }
        return EffectKind.allCases.reduce(tableHead + rows(RackSlotParameter.self) + rows(RackBranchParameter.self)) {
            $0 + rows($1.group)
        }
    }

    private static let tableHead =
        "| address | type | title | range | initial | unit | access |\n| --- | --- | --- | --- | --- | --- | --- |\n"

    private static func row(_ address: String, _ spec: ParameterSpec) -> String {
        let range =
            switch spec.kind {
            case .choice(let names): names.joined(separator: ", ")
            case .text, .impulse, .toggle: ""
            default: "\(spec.range.lowerBound) to \(spec.range.upperBound)"
            }
        let initial = spec.initial.numbers.map { "\($0)" }.joined(separator: " ")
        // A bar ends a cell.
        let words = "\(spec.title): \(spec.summary)".map { $0 == "|" ? "\\|" : String($0) }.joined()
        return "| `\(address)` | \(spec.oscType) | \(words) | \(range) | \(initial) | \(spec.unit.rawValue) | \(spec.access) |\n"
    }
}
