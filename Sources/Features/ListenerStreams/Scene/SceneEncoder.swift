internal import Synchronization
internal import Threads

/// The thread that encodes the scene for clients that render it themselves; it sleeps while there are none.
// SAFETY: `assemblers` and what belongs to them are used on the thread alone; everything else is constant, atomic or behind a lock.
final class SceneEncoder: @unchecked Sendable {
    /// Packets that may wait for the control thread; beyond them the oldest sound is left out.
    static let most = 256

    private let read: @Sendable ((SceneFrames) -> Void) -> Void
    private let describe: @Sendable (Int64) -> String?
    private let wake: @Sendable () -> Void
    private let wanted = Mutex<Set<SceneProfile>>([])
    private let made = Mutex<[ScenePacket]>([])
    private var assemblers: [SceneProfile: SceneAssembler] = [:]
    private var version: Int64 = -1
    private var array: (number: UInt32, text: String) = (0, "")
    private var work: EncodingWork!

    /// - Parameters:
    ///   - read: passes on the blocks that have arrived.
    ///   - describe: members of the JSON of an array by its version; nil when there is none.
    ///   - wake: called on this thread when packets wait.
    init(
        read: @escaping @Sendable ((SceneFrames) -> Void) -> Void, describe: @escaping @Sendable (Int64) -> String?,
        wake: @escaping @Sendable () -> Void
    ) throws(ThreadError) {
        self.read = read
        self.describe = describe
        self.wake = wake
        work = EncodingWork("scene encoder") { [unowned self] in turn() }
        try work.start()
    }

    /// Ends the thread and waits for it.
    func stop() { work.stop() }

    /// Sets the profiles that clients have.
    func encode(_ profiles: Set<SceneProfile>) {
        wanted.withLock { $0 = profiles }
        work.wake()
    }

    /// Removes and returns everything that was encoded.
    func take() -> [ScenePacket] {
        made.withLock { made in
            let all = made
            made = []
            return all
        }
    }

    private func turn() -> Bool {
        let profiles = wanted.withLock { $0 }
        // Blocks from before the first client are too old.
        if assemblers.isEmpty { read { _ in } }
        follow(profiles)
        guard !profiles.isEmpty else { return false }
        var packets: [ScenePacket] = []
        read { block in
            describe(block, &packets)
            for profile in profiles { assemblers[profile]?.add(block, array: array.number) }
        }
        packets += collected
        collected = []
        if !packets.isEmpty { pass(packets) }
        return true
    }

    /// Packets of the current round.
    private var collected: [ScenePacket] = []

    private func follow(_ profiles: Set<SceneProfile>) {
        for profile in assemblers.keys where !profiles.contains(profile) { assemblers[profile] = nil }
        for profile in profiles where assemblers[profile] == nil {
            assemblers[profile] = SceneAssembler(profile) { [unowned self] in collected.append($0) }
        }
    }

    /// Numbers the array of a block; an array whose description differs from the last one gets a new number.
    private func describe(_ block: SceneFrames, _ packets: inout [ScenePacket]) {
        guard block.channels > 0, block.version != version || array.number == 0 else { return }
        guard let text = describe(block.version) else { return }
        version = block.version
        guard text != array.text else { return }
        array = (array.number &+ 1, text)
        packets.append(.array("{\"type\":\"array\",\"number\":\(array.number),\(text)}"))
    }

    private func pass(_ packets: [ScenePacket]) {
        made.withLock { made in
            made += packets
            Self.shorten(&made)
        }
        wake()
    }

    /// Leaves out the oldest sound when too much waits. Descriptions of arrays stay, because they are sent once.
    static func shorten(_ packets: inout [ScenePacket]) {
        var surplus = packets.count - most
        guard surplus > 0 else { return }
        packets.removeAll { packet in
            guard surplus > 0, packet.isSound else { return false }
            surplus -= 1
            return true
        }
    }
}
