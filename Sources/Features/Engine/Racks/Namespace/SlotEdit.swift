import Effects
import Parameters

/// A change that a client makes to a slot.
enum SlotEdit {
    case effect(EffectKind)
    case bypass(Bool)
    case mix(Float)
    /// A numeric parameter of the effect, by its position among those.
    case value(Int, Float)
    /// A text parameter of the effect, by name.
    case text(String, String)
}
