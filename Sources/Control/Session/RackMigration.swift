internal import Effects
internal import Rack

/// Migrates racks of version 1, in which eight effects had a mix of their own: the slot's mix was a share of the sound that the
/// effect had mixed already.
struct RackMigration {
    /// Names of the parameters that an effect had.
    func parameters(of kind: EffectKind) -> [String] { kind.wetDry.former == nil ? [] : ["mix"] }

    /// The one mix of a slot, with effect and dry sound in the previous proportion.
    ///
    /// Values that are missing had their initial ones in a slot with a number, as the program saves it: its author heard them. Files
    /// written by hand have no numbers; there the slot's mix, when it stands alone, was meant as the whole one.
    ///
    /// - Parameters:
    ///   - mix: of the slot, and `own`: of its effect, where the file has them.
    /// - Returns: nil for an effect without a mix of its own in a slot without one.
    func mix(of slot: RackDescription.Slot, _ mix: Float?, effect own: Float?) -> Float? {
        let wetDry = slot.kind.wetDry
        guard let initial = wetDry.former else { return mix }
        let isWhole = slot.number == nil && mix != nil && own == nil
        return wetDry.law.share(linear: (mix ?? 1) * (isWhole ? 1 : own ?? initial))
    }
}
