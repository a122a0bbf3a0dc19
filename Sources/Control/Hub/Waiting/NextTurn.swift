/// No work: a message that has taken long enough continues in the next turn of the control thread.
final class NextTurn: PendingWork {
    var isDone: Bool { true }
    var limit: UInt64 { .max / 2 }

    func use(_ handler: () -> Void) { handler() }
    func giveUp() {}
}
