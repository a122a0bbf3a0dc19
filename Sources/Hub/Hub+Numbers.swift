internal import Parameters

/// What comes thousands of times a second: one number for a parameter that is stored, and nothing else.
extension Hub {
    /// What such a parameter takes as it is.
    struct PlainNumber {
        var range: ClosedRange<Float>
        var isWhole: Bool

        /// - Returns: nil for a parameter of another kind.
        init?(_ spec: ParameterSpec) {
            guard spec.access == .readWrite else { return nil }
            switch spec.kind {
            case .number: isWhole = false
            case .integer, .toggle, .choice: isWhole = true
            case .vector, .list, .text, .impulse: return nil
            }
            range = spec.range
        }

        func takes(_ number: Float) -> Bool { range.contains(number) && (!isWhole || number == number.rounded()) }
    }

    /// As ``handle(_:from:)`` does with a message of one number in its range to a parameter without a handler.
    ///
    /// - Parameters:
    ///   - slot: of ``tree``.
    ///   - time: when the kernel had it, CLOCK_MONOTONIC nanoseconds.
    /// - Returns: false, having done nothing, for everything that needs the whole message.
    public func set(_ slot: Int, to number: Float, time: UInt64, from subscriber: Subscriber?) -> Bool {
        guard let plain = plain[slot], plain.takes(number) else { return false }
        let value = ParameterValue.number(number)
        if kept[slot], onEdit != nil, edit == nil, values[slot] != value, let origin = origin(subscriber) {
            edit = Edit(
                message: Message(address: tree.nodes[slot].address, arguments: [.float(number)], receiveTime: time),
                origin: origin)
            change(slot, value, except: subscriber)
            finishEdit()
        } else {
            change(slot, value, except: subscriber)
        }
        return true
    }

    /// What is known of every slot, so that nobody has to look at its whole description: anew whenever slots come or go.
    func survey() {
        shape += 1
        reached.removeAll()
        kept = tree.nodes.map { $0.spec.isKept && !$0.address.isEmpty }
        isStored = tree.nodes.map { $0.spec.isScalar && !$0.isTransient }
        plain = tree.nodes.map { handlers[$0.slot] == nil && !$0.address.isEmpty ? PlainNumber($0.spec) : nil }
        settable = tree.nodes.filter { $0.spec.access != .read && !$0.address.isEmpty }.map { ($0.slot, $0.address) }
    }
}
