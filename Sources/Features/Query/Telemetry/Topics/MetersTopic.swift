internal import Hub
internal import Parameters

/// `meters`: levels of microphones, listeners and effects.
final class MetersTopic: EventTopic {
    let name = "meters"
    let code: UInt8? = 1
    let fastest = 120

    init(_ sources: TelemetrySources) {}

    func collect(_ report: TelemetryDelta) -> (any TelemetryContent)? {
        report.hasLevels
            ? Content(microphones: report.microphones, listeners: report.listeners.map(Listener.init), slots: report.slots) : nil
    }

    /// Levels since the last frame.
    struct Content: TelemetryContent {
        var microphones = Levels()
        var listeners: [Listener] = []
        /// The effects that exist now.
        var slots: [TelemetryDelta.Slot] = []

        func following(_ earlier: Content) -> Content {
            var whole = earlier
            whole.add(self)
            return whole
        }

        private mutating func add(_ next: Content) {
            microphones.add(next.microphones)
            if listeners.count != next.listeners.count {
                listeners = .init(repeating: Listener(), count: next.listeners.count)
            }
            for i in listeners.indices { listeners[i].add(next.listeners[i]) }
            let earlier = slots
            slots = next.slots
            for i in slots.indices {
                if let before = earlier.first(where: { $0.rack == slots[i].rack && $0.number == slots[i].number }) {
                    slots[i].add(before)
                }
            }
        }

        func write(to bytes: inout TelemetryWriter) {
            bytes.add(UInt16(microphones.peak.count))
            bytes.add(UInt16(listeners.count))
            bytes.add(microphones.peak)
            bytes.add(microphones.rms)
            for listener in listeners {
                let ears = listener.ears
                bytes.add(ears.peak)
                bytes.add(ears.rms)
            }
            // At the end, as slot 0, so that the places above are the same as before it was reported.
            for (index, listener) in listeners.enumerated() {
                bytes.add(UInt16(RackPosition.output(index).instance))
                bytes.add(UInt16(0))
                bytes.add(listener.ears.peak.max() ?? 0)
                bytes.add(listener.reduction)
            }
            for slot in slots {
                bytes.add(UInt16(slot.rack))
                bytes.add(UInt16(slot.number))
                bytes.add(slot.level)
                bytes.add(slot.reduction)
            }
        }

        var json: Document {
            Document(
                microphones: Pair(microphones), listeners: listeners.map(\.ears), slots: slots.map(Slot.init))
        }
    }

    struct Document: Encodable {
        let microphones: Pair
        let listeners: [Ears]
        let slots: [Slot]
    }

    struct Pair: Encodable {
        let peak: [Float]
        let rms: [Float]

        init(_ levels: Levels) { (peak, rms) = (levels.peak, levels.rms) }
    }

    /// Levels at one listener's ears, after the limiter, and its gain reduction in decibels.
    struct Ears: Encodable {
        let peak, rms: [Float]
        let reduction: Float
    }

    /// Levels of one listener since the last frame.
    struct Listener: Equatable {
        private var levels = Levels()
        private(set) var reduction: Float = 0

        init() {}

        init(_ report: TelemetryDelta.Listener) { (levels, reduction) = (report.levels, report.reduction) }

        mutating func add(_ next: Listener) {
            levels.add(next.levels)
            reduction = max(reduction, next.reduction)
        }

        var ears: Ears {
            levels.isEmpty
                ? Ears(peak: [0, 0], rms: [0, 0], reduction: reduction)
                : Ears(peak: levels.peak, rms: levels.rms, reduction: reduction)
        }
    }

    struct Slot: Encodable {
        let rack: String
        let slot: Int
        let level, reduction: Float

        init(_ slot: TelemetryDelta.Slot) {
            rack = RackPosition(instance: slot.rack).name
            (self.slot, level, reduction) = (slot.number, slot.level, slot.reduction)
        }
    }
}

extension TelemetryDelta {
    /// True when levels have been reported.
    var hasLevels: Bool { !microphones.isEmpty || !listeners.allSatisfy(\.levels.isEmpty) }
}
