internal import RenderCore

/// Keeps a live sound, and the block by which the objects read it, in memory of their own.
// SAFETY: the thread that renders uses what the pointers point to, and the control side frees it when that thread has given back the
// object's sound.
final class LiveSoundOwner: @unchecked Sendable {
    let block: UnsafeMutablePointer<LiveBlock>
    private let sound: UnsafeMutablePointer<LiveSound>

    init(_ sound: consuming LiveSound) {
        let rate = sound.rate
        self.sound = .allocate(capacity: 1)
        self.sound.initialize(to: sound)
        block = .allocate(capacity: 1)
        block.initialize(to: LiveBlock(source: self.sound, rate: rate))
    }

    deinit {
        sound.deinitialize(count: 1)
        sound.deallocate()
        block.deallocate()
    }
}
