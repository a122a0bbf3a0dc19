import Synchronization

/// Space of the media library: its limit, its files, those that have come since its folders were read, and those that are on their way,
/// which are promised their whole size from the beginning to the end. Uploads, imports and fetched files share it, on any thread.
package final class LibrarySpace: Sendable {
    private struct State {
        /// Bytes of all files as they were read last; nil before the first time.
        var present: Int64?
        /// Bytes of files that have come since the last scan began, and before that, since the one before.
        var (arrived, arrivedBefore): (Int64, Int64) = (0, 0)
        var promised: [String: Int64] = [:]
    }

    /// Bytes of all files at most, for those that come while the engine runs; nil for no limit.
    let limit: Int64?
    private let state = Mutex(State())

    init(limit: Int64?) { self.limit = limit }

    /// Whether ``room`` says how much the files may grow: with a limit, the folders are read first.
    var isKnown: Bool { limit == nil || state.withLock { $0.present != nil } }

    /// Bytes by which all files may grow besides those that are promised room; nil for no limit, 0 until that is known.
    var room: Int64? { state.withLock { room($0) } }

    private func room(_ state: State) -> Int64? {
        limit.map { limit in
            guard let present = state.present else { return 0 }
            return max(0, limit - present - state.arrived - state.arrivedBefore - state.promised.values.reduce(0, +))
        }
    }

    /// Promises room to a file that is on its way, unless it would not fit. A second promise to the same one replaces the first.
    /// - Parameter id: of the upload, import or fetch.
    /// - Returns: whether there is room; nil until that is known.
    package func promise(_ bytes: Int64, to id: String) -> Bool? {
        guard isKnown else { return nil }
        return state.withLock { state in
            let former = state.promised.removeValue(forKey: id)
            if let room = room(state), bytes > room {
                state.promised[id] = former
                return false
            }
            state.promised[id] = bytes
            return true
        }
    }

    /// Promises room to an upload of the last run, to which it was promised then.
    package func renew(_ bytes: Int64, to id: String) { state.withLock { $0.promised[id] = bytes } }

    /// Ends a promise.
    /// - Parameter isStored: whether the file is in the library now.
    package func end(_ id: String, isStored: Bool) {
        state.withLock { state in
            guard let bytes = state.promised.removeValue(forKey: id), isStored else { return }
            state.arrived += bytes
        }
    }

    /// A scan begins, which may or may not find what arrives from now on.
    func beginScan() { state.withLock { ($0.arrivedBefore, $0.arrived) = ($0.arrivedBefore + $0.arrived, 0) } }

    /// The scan has ended; it has found what had arrived before it began.
    /// - Parameter present: bytes of all files.
    func endScan(present: Int64) { state.withLock { ($0.arrivedBefore, $0.present) = (0, present) } }
}
