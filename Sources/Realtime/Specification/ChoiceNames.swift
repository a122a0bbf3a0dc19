/// The names of a ``ChoiceList``.
package struct ChoiceNames {
    package var names: [String]
    /// Index of the initial choice.
    package var initial = 0
    /// Names of earlier releases, each with the current one.
    package var former: [String: String] = [:]

    package init(names: [String], initial: Int = 0, former: [String: String] = [:]) {
        (self.names, self.initial, self.former) = (names, initial, former)
    }
}
