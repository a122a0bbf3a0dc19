/// Receives the reports of a rendering while it runs, in words.
package struct RenderingReports: Sendable {
    /// Called with warnings, on any thread.
    package var warn: @Sendable (_ text: String) -> Void = { _ in }
    /// Called with facts about the rendering.
    package var note: @Sendable (_ text: String) -> Void = { _ in }
    /// Called with an activity and the share of it that is done, 0 to 1, on any thread; with nil at its end.
    package var progress: @Sendable (_ activity: String, _ share: Double?) -> Void = { _, _ in }

    package init() {}
}
