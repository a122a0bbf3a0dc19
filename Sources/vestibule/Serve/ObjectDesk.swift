import Crossing
import Hub
import Media
import Parameters
import Render

/// What the sound objects sound: chosen by name, read in the background, handed to the renderer. On the control thread.
final class ObjectDesk {
    private let hub: Hub
    private let shelf: SoundShelf
    private let workshop: ObjectWorkshop
    private var sounds: Handover<ObjectSound>.Control
    private let hasInput: Bool
    /// Of each object, what it has.
    private var has: [String]
    /// Of each object, what it waits for.
    private var orders: [ObjectOrder?]
    private var ticks = 0
    /// Channels of the live input.
    private static let channels = 2
    /// Looks at the renderer's progress between two looks at the folder: two seconds.
    private static let ticksOfFolder = 60

    /// - Parameters:
    ///   - hasInput: whether there is live input.
    ///   - rate: of the engine, frames per second.
    init(hub: Hub, shelf: SoundShelf, sounds: consuming Handover<ObjectSound>.Control, hasInput: Bool, rate: Int) {
        self.hub = hub
        self.shelf = shelf
        self.sounds = sounds
        self.hasInput = hasInput
        workshop = ObjectWorkshop(rate: rate)
        has = .init(repeating: "", count: hub.tree.objects)
        orders = .init(repeating: nil, count: hub.tree.objects)
    }

    func connect() {
        for object in has.indices {
            hub.onSet(hub.tree.slot(ObjectParameter.source, object)) { [unowned self] value, _ in
                try choose(object, value.text ?? "")
            }
        }
        tellSounds()
    }

    /// - Throws: `MediaError` or a refusal for what no object can sound; what it sounds goes on.
    private func choose(_ object: Int, _ source: String) throws {
        if let channel = try channel(source) {
            take(object, source, ObjectSound(object: object, channel: channel), "live input \(channel + 1)")
        } else if source.isEmpty {
            take(object, source, ObjectSound(object: object, channel: nil), "")
        } else {
            let path = try shelf.path(source)
            try ObjectSoundFile.check(path: path)
            let order = ObjectOrder(object: object, name: source, path: path)
            orders[object] = order
            workshop.order(order, for: object)
            say(object, "waits for its turn")
        }
    }

    /// What needs no reading.
    private func take(_ object: Int, _ source: String, _ sound: consuming ObjectSound, _ words: String) {
        workshop.order(nil, for: object)
        orders[object] = nil
        has[object] = source
        say(object, sounds.send(sound) ? words : "not heard: the renderer is not running")
    }

    /// - Returns: counted from 0; nil for what names no channel.
    private func channel(_ source: String) throws -> Int? {
        let words = source.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "input", let number = Int(words[1]) else { return nil }
        guard hasInput else {
            throw SessionRefusal("there is no live input for \"\(source)\"; start with --input")
        }
        guard (1...Self.channels).contains(number) else {
            throw SessionRefusal("the live input has no channel \(number); it has 1 to \(Self.channels)")
        }
        return number - 1
    }

    /// Takes what the workshop has done, some thirty times a second.
    func settle() {
        sounds.collect()
        for report in workshop.take() where report.order == orders[report.customer] { take(report) }
        ticks += 1
        if ticks % Self.ticksOfFolder == 0 { tellSounds() }
    }

    private func take(_ report: ObjectWorkshop.Report) {
        let (object, name) = (report.customer, report.order.name)
        switch report.outcome {
        case .progress(let share): say(object, "is being read: \(Int(share * 100)) %")
        case .done(let loaded):
            guard sounds.send(loaded.sound.take()) else {
                // There was no room; it is read again.
                return workshop.order(report.order, for: object)
            }
            orders[object] = nil
            has[object] = name
            say(object, "ready: \((loaded.seconds * 10).rounded() / 10) s")
            for warning in loaded.warnings { hub.notice(warning) }
        case .refused(let reason):
            orders[object] = nil
            hub.notice(reason.description)
            say(object, "refused: \(reason)")
            // The parameter says again what is heard.
            hub.publish(hub.tree.slot(ObjectParameter.source, object), .text(has[object]))
        }
    }

    private func tellSounds() {
        guard !has.isEmpty else { return }
        let channels = hasInput ? (1...Self.channels).map { "input \($0)" } : []
        hub.publish(hub.tree.slot(ObjectSounds.sounds), .text((shelf.names + channels).joined(separator: "\n")))
    }

    private func say(_ object: Int, _ text: String) {
        hub.publish(hub.tree.slot(ObjectParameter.state, object), .text(text))
    }

    func stop() { workshop.stop() }
}
