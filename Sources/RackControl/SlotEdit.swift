internal import Parameters

/// What somebody may set of a slot.
enum SlotEdit {
    case effect(EffectKind)
    case bypass(Bool)
    case mix(Float)
    /// A parameter of the effect that is a number, by its place among those.
    case value(Int, Float)
    /// One that is a text.
    case text(String, String)
}
