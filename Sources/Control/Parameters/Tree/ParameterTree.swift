/// All parameters of a running program, by index and by address. For the control side only.
///
/// Groups follow each other in declaration order, so the index of a parameter is the
/// first index of its group's instance plus its raw value.
public struct ParameterTree: Sendable {
    public struct Node: Sendable {
        public let index: Int
        public internal(set) var address: String
        private let shared: SharedSpec
        /// True for a parameter that is added and removed at run time; it has no word in the realtime store.
        public var isTransient = false

        public var spec: ParameterSpec { shared.spec }

        init(index: Int, address: String, spec: SharedSpec, isTransient: Bool = false) {
            self.index = index
            self.address = address
            shared = spec
            self.isTransient = isTransient
        }

        /// The same parameter at another address.
        func moved(to address: String) -> Node { Node(index: index, address: address, spec: shared, isTransient: isTransient) }
    }

    /// Nodes by index. Those that were removed, or belong to an absent listener or object, have no address.
    public private(set) var nodes: [Node]
    /// Summary of each container, by address.
    public private(set) var containers: [String: String]
    /// Topic of each container that has one, by address.
    public private(set) var topics: [String: Topic]
    /// Maximum number of listeners: those of the device, then those on the network.
    public let listeners: Int
    /// Number of listeners of the device, which have the lowest numbers and are always present.
    public let wired: Int
    /// Whether each listener is present.
    public private(set) var isPresent: [Bool]
    /// Number of trackers that can be attached.
    public let trackers: Int
    /// Maximum number of sound objects.
    public let objects: Int
    /// Whether each object exists.
    public private(set) var isObjectPresent: [Bool]
    /// Number of places for mappings of MIDI controllers.
    public let mappings: Int
    /// Number of places for cues of the cue list.
    public let cueList: Int
    private(set) var indices: [String: Int] = [:]
    private var inside = ContainerIndex()
    private var vacant: [Int] = []
    /// Indices of the declared parameters that sessions or scenes keep, those of absent listeners included.
    public let kept: [Int]
    /// First index of each group's first instance, and the number of its parameters.
    private let places: [ObjectIdentifier: (first: Int, count: Int)]

    /// - Parameters:
    ///   - listeners: number of listeners of the device, at least 1.
    ///   - network: maximum number of listeners on the network; all are absent at first.
    ///   - trackers: number of trackers that can be attached.
    ///   - methods: interpolation methods of the renderer, in the order of its enum.
    ///   - formerMethods: names of methods in earlier releases, each with the current one.
    ///   - method: initial method of a listener; nil for the last one.
    ///   - effects: names of the effects a rack can hold.
    ///   - presets: names of the racks that come with the program.
    ///   - cues: names of the short sounds.
    ///   - objects: maximum number of sound objects.
    ///   - firstObjects: initial number of objects; nil for all.
    ///   - mappings: number of places for mappings of MIDI controllers.
    ///   - cueList: number of places for cues of the cue list.
    public init(
        listeners: Int, network: Int = 0, trackers: Int = 0, methods: [String], formerMethods: [String: String] = [:],
        method: String? = nil,
        effects: [String] = [], presets: [String] = [], cues: [String] = [], objects: Int = 0, firstObjects: Int? = nil, mappings: Int = 0,
        cueList: Int = 0
    ) {
        let initial = method.flatMap { methods.firstIndex(of: $0) } ?? methods.count - 1
        let lists: [ChoiceList: ChoiceNames] = [
            .methods: ChoiceNames(names: methods, initial: initial, former: formerMethods), .effects: ChoiceNames(names: effects),
            .presets: ChoiceNames(names: presets), .cues: ChoiceNames(names: cues),
        ]
        self.init(
            Self.groups(listeners: listeners + network, trackers: trackers, objects: objects, mappings: mappings, cueList: cueList), lists,
            listeners: listeners + network, wired: listeners, trackers: trackers, objects: objects, firstObjects: firstObjects,
            mappings: mappings, cueList: cueList)
    }

    /// - Parameters:
    ///   - groups: groups and the number of instances of each, in the order of their indices.
    ///   - lists: names and initial choice of each ``ChoiceList``.
    init(
        _ groups: [(group: any ParameterGroup.Type, instances: Int)],
        _ lists: [ChoiceList: ChoiceNames] = [:], listeners: Int = 0, wired: Int = 0, trackers: Int = 0,
        objects: Int = 0, firstObjects: Int? = nil, mappings: Int = 0, cueList: Int = 0
    ) {
        let firstObjects = min(objects, firstObjects ?? objects)
        var nodes: [Node] = []
        var containers = ["/": "Vestibule: motion-tracked binaural engine."]
        var topics: [String: Topic] = [:]
        var places: [ObjectIdentifier: (first: Int, count: Int)] = [:]
        var aliases: [(address: String, index: Int)] = []
        func add<Group: ParameterGroup>(_: Group.Type, _ instances: Int) {
            places[ObjectIdentifier(Group.self)] = (nodes.count, Group.allCases.count)
            let specs = Group.allCases.map { parameter in
                var spec = parameter.spec
                spec.place = Group.order.firstIndex { $0.rawValue == parameter.rawValue }
                if let list = spec.list.flatMap({ lists[$0] }) { spec.fill(list) }
                // Without network listeners the range stays, so that the handler can answer that there is nothing to remove.
                if (parameter as? NetworkListenerParameter) == .remove, listeners > wired { spec.range = 1...Float(listeners) }
                if (parameter as? ObjectSounds) == .list { spec = spec.initially(ObjectNumbers.text(Set(0..<firstObjects))) }
                return SharedSpec(spec)
            }
            for instance in 0..<instances {
                let isAbsent =
                    Self.listener(Group.self, instance).map { $0 >= wired }
                    ?? (Group.self is ObjectParameter.Type && instance >= firstObjects)
                if !isAbsent {
                    containers[Group.container(instance)] = Group.summary
                    if let topic = Group.topic { topics[Group.container(instance)] = topic }
                }
                for (name, parameter) in Group.aliases where !isAbsent {
                    aliases.append((Group.container(instance) + "/" + name, nodes.count + parameter.rawValue))
                }
                for (parameter, spec) in zip(Group.allCases, specs) {
                    nodes.append(.init(index: nodes.count, address: isAbsent ? "" : parameter.address(instance), spec: spec))
                }
            }
        }
        for (group, instances) in groups { add(group, instances) }
        self.nodes = nodes
        kept = nodes.indices.filter { nodes[$0].spec.keeping == .session || nodes[$0].spec.keeping == .scene }
        self.containers = containers
        self.topics = topics
        self.places = places
        self.listeners = listeners
        self.wired = wired
        isPresent = (0..<listeners).map { $0 < wired }
        self.trackers = trackers
        self.objects = objects
        isObjectPresent = (0..<objects).map { $0 < firstObjects }
        self.mappings = mappings
        self.cueList = cueList
        for node in nodes where !node.address.isEmpty { place(node.index, at: node.address) }
        for (address, index) in aliases { indices[address] = index }
    }

    /// Every group of the program, with the number of its instances.
    private static func groups(
        listeners: Int, trackers: Int, objects: Int, mappings: Int, cueList: Int
    ) -> [(group: any ParameterGroup.Type, instances: Int)] {
        [
            (ListenerParameter.self, listeners),
            (TrackerParameter.self, trackers),
            (TransportParameter.self, 1),
            (VideoParameter.self, 1),
            (DeckParameter.self, 1),
            (MusicParameter.self, 1),
            (SessionParameter.self, 1),
            (SceneParameter.self, 1),
            (ListeningTestParameter.self, 1),
            (TakeParameter.self, 1),
            (TakeSourceParameter.self, 1),
            (LibraryParameter.self, 1),
            (ArchiveParameter.self, 1),
            (ListParameter.self, 1),
            (ArrayParameter.self, 1),
            (ArraySetting.self, 1),
            (InputParameter.self, 1),
            (TunerParameter.self, 1),
            (MetronomeParameter.self, 1),
            (CueParameter.self, 1),
            (LooperParameter.self, 1),
            (ObjectSounds.self, objects > 0 ? 1 : 0),
            (ObjectScale.self, objects > 0 ? 1 : 0),
            (AirParameter.self, objects > 0 ? 1 : 0),
            (ObjectParameter.self, objects),
            (ObjectGroupParameter.self, objects > 0 ? ObjectGroupParameter.count : 0),
            (RoomParameter.self, objects > 0 ? 1 : 0),
            (RoomWall.self, objects > 0 ? 1 : 0),
            (RackParameter.self, RackPosition.all(listeners: listeners).count),
            (ProtectionParameter.self, 1),
            (MicrophoneMeter.self, 1),
            (ListenerMeter.self, listeners),
            (EngineParameter.self, 1),
            (DeviceParameter.self, 1),
            (LatencyParameter.self, 1),
            (ListenerLatency.self, listeners),
            (ClientParameter.self, 1),
            (NetworkListenerParameter.self, 1),
            (StreamParameter.self, 1),
            (ListenerStream.self, listeners),
            (ListenerClient.self, listeners),
            (StreamGroupParameter.self, StreamGroupParameter.count),
            (MIDIParameter.self, mappings > 0 ? 1 : 0),
            (MIDIMappingParameter.self, mappings),
            (CueListParameter.self, cueList > 0 ? 1 : 0),
            (CueListEntryParameter.self, cueList),
            (MQTTParameter.self, 1),
            (FollowParameter.self, 1),
            (IcecastParameter.self, 1),
        ]
    }

    // MARK: Parameters that are added and removed

    /// Adds a parameter.
    /// - Returns: its index until it is removed.
    public mutating func insert(_ address: String, _ spec: ParameterSpec) -> Int {
        let index = vacant.popLast() ?? nodes.count
        let node = Node(index: index, address: address, spec: SharedSpec(spec), isTransient: true)
        if index == nodes.count { nodes.append(node) } else { nodes[index] = node }
        place(index, at: address)
        return index
    }

    /// Removes a parameter that ``insert(_:_:)`` added.
    public mutating func remove(_ index: Int) {
        precondition(nodes[index].isTransient)
        displace(nodes[index].address)
        let nothing = ParameterSpec(title: "", summary: "", kind: .impulse, range: 0...0, initial: .impulse, access: .read)
        nodes[index] = Node(index: index, address: "", spec: SharedSpec(nothing), isTransient: true)
        vacant.append(index)
    }

    /// Changes the address of a parameter that ``insert(_:_:)`` added.
    public mutating func rename(_ index: Int, _ address: String) {
        precondition(nodes[index].isTransient)
        displace(nodes[index].address)
        nodes[index] = nodes[index].moved(to: address)
        place(index, at: address)
    }

    private mutating func place(_ index: Int, at address: String) {
        guard indices.updateValue(index, forKey: address) == nil else { return }
        inside.add(index, at: address)
    }

    private mutating func displace(_ address: String) {
        guard let index = indices.removeValue(forKey: address) else { return }
        inside.remove(index, at: address)
    }

    /// True if there is a parameter or a container at `path`.
    public func holds(_ path: String) -> Bool {
        indices[path] != nil || containers[path] != nil || inside.holds(path[...])
    }

    /// The parameters in the list of a container, by index: all below it except those of listeners beyond ``mostListed``.
    ///
    /// - Parameter container: address without a slash at its end, except for the root.
    public func listed(in container: String) -> [Int] {
        var found: [Int] = []
        inside.append(
            below: container == "/" ? "" : container[...],
            where: { Self.lists(String($0), in: container, mostListed: mostListed) }, to: &found)
        return found.sorted()
    }

    /// Adds a container, or removes it.
    /// - Parameter summary: its description; nil removes the container.
    public mutating func describe(_ container: String, _ summary: String?) { containers[container] = summary }

    /// The parameter at an address, or at a former one.
    public func index(at address: String) -> Int? { indices[address] }

    /// The addresses of all parameters, including former ones, in no particular order.
    public var addresses: some Collection<String> { indices.keys }

    // MARK: Listeners that are added and removed

    /// The listener that an instance of a group belongs to, from 0; nil for groups that do not belong to listeners.
    private static func listener<Group: ParameterGroup>(_: Group.Type, _ instance: Int) -> Int? {
        switch Group.self {
        case is ListenerParameter.Type, is ListenerMeter.Type, is ListenerLatency.Type, is ListenerStream.Type,
            is ListenerClient.Type:
            instance
        case is RackParameter.Type:
            if case .output(let listener) = RackPosition(instance: instance) { listener } else { nil }
        default: nil
        }
    }

    /// Gives the parameters of a network listener their addresses, or takes them away.
    /// - Returns: their indices, and the containers concerned.
    public mutating func setPresence(ofListener listener: Int, _ isPresent: Bool) -> (indices: [Int], containers: [String]) {
        precondition(listener >= wired && listener < listeners)
        guard self.isPresent[listener] != isPresent else { return ([], []) }
        self.isPresent[listener] = isPresent
        var changed: (indices: [Int], containers: [String]) = ([], [])
        set(ListenerParameter.self, listener, isPresent, &changed)
        set(RackParameter.self, RackPosition.output(listener).instance, isPresent, &changed)
        set(ListenerMeter.self, listener, isPresent, &changed)
        set(ListenerLatency.self, listener, isPresent, &changed)
        set(ListenerStream.self, listener, isPresent, &changed)
        set(ListenerClient.self, listener, isPresent, &changed)
        return changed
    }

    /// Gives the parameters of a sound object their addresses, or takes them away.
    /// - Returns: as ``setPresence(ofListener:_:)``.
    public mutating func setPresence(ofObject object: Int, _ isPresent: Bool) -> (indices: [Int], containers: [String]) {
        var changed: (indices: [Int], containers: [String]) = ([], [])
        guard isObjectPresent[object] != isPresent else { return changed }
        isObjectPresent[object] = isPresent
        set(ObjectParameter.self, object, isPresent, &changed)
        return changed
    }

    private mutating func set<Group: ParameterGroup>(
        _: Group.Type, _ instance: Int, _ isPresent: Bool, _ changed: inout (indices: [Int], containers: [String])
    ) {
        let container = Group.container(instance)
        containers[container] = isPresent ? Group.summary : nil
        topics[container] = isPresent ? Group.topic : nil
        changed.containers.append(container)
        for parameter in Group.allCases {
            let index = index(parameter, instance)
            if isPresent {
                nodes[index].address = parameter.address(instance)
                place(index, at: nodes[index].address)
            } else {
                displace(nodes[index].address)
                nodes[index].address = ""
            }
            changed.indices.append(index)
        }
        for (name, parameter) in Group.aliases { indices[container + "/" + name] = isPresent ? index(parameter, instance) : nil }
    }

    /// The index of a declared parameter.
    /// - Precondition: the tree has instances of its group.
    public func index<Group: ParameterGroup>(_ parameter: Group, _ instance: Int = 0) -> Int {
        let place = places[ObjectIdentifier(Group.self)]!
        return place.first + instance * place.count + parameter.rawValue
    }
}
