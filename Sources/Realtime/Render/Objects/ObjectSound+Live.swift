public import RenderCore

extension ObjectSound {
    /// Live sound from another thread.
    public init(object: Int, live: consuming LiveSound) {
        let owner = LiveSoundOwner(live)
        self.init(object: object, live: owner.block, owner: owner)
    }
}
