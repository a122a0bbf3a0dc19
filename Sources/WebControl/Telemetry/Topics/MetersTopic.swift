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
            ? Content(microphones: report.microphones, listeners: report.listeners.map(\.levels), slots: report.slots) : nil
    }

    /// Levels since the last frame.
    struct Content: TelemetryContent {
        var microphones = Levels()
        var listeners: [Levels] = []
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
                listeners = .init(repeating: Levels(), count: next.listeners.count)
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
                let isSilent = listener.peak.isEmpty
                bytes.add(isSilent ? [0, 0] : listener.peak)
                bytes.add(isSilent ? [0, 0] : listener.rms)
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
                microphones: Pair(microphones), listeners: listeners.map { Pair($0, channels: 2) }, slots: slots.map(Slot.init))
        }
    }

    struct Document: Encodable {
        let microphones: Pair
        let listeners: [Pair]
        let slots: [Slot]
    }

    struct Pair: Encodable {
        let peak: [Float]
        let rms: [Float]

        /// - Parameter channels: zeros to give when there are no levels.
        init(_ levels: Levels, channels: Int = 0) {
            let silence = [Float](repeating: 0, count: channels)
            peak = levels.isEmpty ? silence : levels.peak
            rms = levels.isEmpty ? silence : levels.rms
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
