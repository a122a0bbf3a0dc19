import Hub

/// The wait for a listener's HRTF filters, which a listening test needs.
final class FilterWait: PendingWork {
    private let loaders: HRTFLoaders
    private let listener: Int

    init(_ loaders: HRTFLoaders, listener: Int) { (self.loaders, self.listener) = (loaders, listener) }

    var isDone: Bool { loaders.isReady(listener: listener) }
    var limit: UInt64 { .max / 2 }

    func use(_ handler: () -> Void) { handler() }
    func giveUp() {}
}
