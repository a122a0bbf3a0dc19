internal import Foundation
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

    /// Call when a parameter has come or gone.
    mutating func refresh(_ node: ParameterTree.Node) {
        if node.index >= isKept.count {
            let missing = [Bool](repeating: false, count: node.index + 1 - isKept.count)
            isKept += missing
            isStored += missing
        }
        isKept[node.index] = node.spec.isKept && !node.address.isEmpty
        isStored[node.index] = node.spec.isScalar && !node.isTransient
    }
}

extension ParameterValue {
    /// The value with its text in the composed form of Unicode (NFC): names come from people and from macOS in different forms, and clients
    /// compare them by their bytes.
    var composed: ParameterValue {
        guard case .text(let text) = self, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        return .text(text.precomposedStringWithCanonicalMapping)
    }
}
