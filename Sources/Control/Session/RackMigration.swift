internal import Effects
internal import Rack

/// Migrates racks of version 1, in which eight effects had a mix of their own: the slot's mix was a share of the sound that the
/// effect had mixed already.
struct RackMigration {
    /// Names of the parameters that an effect had only in version 1.
    func parameters(of kind: EffectKind) -> [String] { kind.wetDry.former == nil ? [] : ["mix"] }

    /// The one mix of a slot, with effect and dry sound in the previous proportion.
    ///
    /// In a slot with a number, as the program saves it, missing values mean the initial ones, which its author heard. Files written by
    /// hand have no slot numbers; there the slot's mix, when the effect's is missing, was meant as the whole mix.
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
