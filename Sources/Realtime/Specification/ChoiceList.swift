/// A list of names that the program finds at its start, for choices declared before the names are known.
public enum ChoiceList: Sendable, Hashable {
    /// Interpolation methods of the renderer.
    case methods
    /// Effects a rack can hold.
    case effects
    /// Racks that come with the program.
    case presets
    /// Short sounds.
    case cues
}
