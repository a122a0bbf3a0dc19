internal import Parameters
internal import RenderInterface

/// Current values of all parameters by index. Numbers are also written to the store that the renderer reads.
struct ParameterValues {
    private let store: ParameterStore
    private var values: [ParameterValue]
    /// Whether sessions keep the parameter.
    private var isKept: [Bool] = []
    /// Whether the renderer's store has a place for the parameter.
    private var isStored: [Bool] = []

    init(_ store: ParameterStore) {
        self.store = store
        values = store.tree.nodes.map(\.spec.initial)
    }

    subscript(index: Int) -> ParameterValue { values[index] }

    /// Whether sessions keep the parameter and `value` differs from its current one.
    func isEdit(_ index: Int, _ value: ParameterValue) -> Bool { isKept[index] && values[index] != value }

    mutating func set(_ index: Int, _ value: ParameterValue) {
        values[index] = value
        if case .number(let number) = value, isStored[index] { store.set(index, number) }
    }

    /// Gives a transient parameter its first value; the renderer's store has no place for it.
    mutating func insert(_ index: Int, _ value: ParameterValue) {
        if index == values.count { values.append(value) } else { values[index] = value }
    }

    mutating func remove(_ index: Int) { values[index] = .impulse }

    /// Call when a listener's parameter has come or gone.
    mutating func refresh(_ node: ParameterTree.Node) { isKept[node.index] = node.spec.isKept && !node.address.isEmpty }

    /// Call whenever parameters come or go.
    mutating func refresh(_ tree: ParameterTree) {
        isKept = tree.nodes.map { $0.spec.isKept && !$0.address.isEmpty }
        isStored = tree.nodes.map { $0.spec.isScalar && !$0.isTransient }
    }
}
