internal import Binaural

extension EarMixer {
    /// Renders this ear through the listener's own, as one more row; returns how many entries `work` has then.
    @_noLocks @_noAllocation
    func addPersonal(
        _ scene: borrowing PreparedScene, _ wish: EarWish, _ frames: Int, _ work: borrowing MixWork, _ rows: Int
    ) -> Int {
        if !isPersonal { personal.pointee.reset() }
        guard let bank = wish.bank else { return rows }
        personal.pointee.render(scene.parts.pointee, bank, azimuth: wish.azimuth, frames: frames)
        let row = Taps.row(.personal, 0)
        work.rows[rows] = personal.pointee.row
        work.from[rows] = work.before[row] * wish.gains.from
        work.to[rows] = weights.now[row] * wish.gains.to
        return rows &+ 1
    }
}
