internal import Binaural
internal import Crossing
internal import RenderCore

/// Receives the conditions of a listening test for one listener, and the commands to switch between them.
public struct ComparisonReceiver: ~Copyable, Sendable {
    private var coming: Handover<ComparisonStage>.Realtime
    private let owner: TargetRow
    /// 0 while no test runs, otherwise the choice of ``ComparisonStage`` plus 1; one for each listener.
    private let choices: TargetRow.View
    private let place: Int
    // SAFETY: lent by the handover; this value alone holds it and gives it back.
    nonisolated(unsafe) private(set) var stage: UnsafeMutablePointer<ComparisonStage>?

    init(_ coming: consuming Handover<ComparisonStage>.Realtime, choices: TargetRow, place: Int) {
        self.coming = coming
        owner = choices
        self.choices = choices.view
        self.place = place
    }

    /// Takes new conditions and choices.
    /// - Returns: the method of the condition that plays; nil while no test runs.
    @_noLocks @_noAllocation
    mutating func receive() -> InterpolationMethod? {
        let word = choices[place]
        guard word > 0 else {
            if stage != nil { leave() }
            return nil
        }
        while let next = coming.receive() {
            leave()
            stage = next
        }
        stage?.pointee.follow(Int(clamping: word) &- 1)
        return stage?.pointee.method
    }

    @_noLocks @_noAllocation
    private mutating func leave() {
        if let stage { coming.giveBack(stage) }
        stage = nil
    }
}
