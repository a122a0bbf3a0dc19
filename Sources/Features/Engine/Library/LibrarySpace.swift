import Synchronization

/// Space of the media library: its limit, the size of its files at the last scan, files that have arrived since, and room promised to files
/// on their way, which is their whole size until they end. Uploads, imports and fetched files share it, on any thread.
package final class LibrarySpace: Sendable {
    private struct State {
        /// Bytes of all files at the last scan; nil before the first scan.
        var present: Int64?
        /// Bytes of files that have arrived since the last scan began; and, until that scan ends, of those that had arrived before it
        /// began.
        var (arrived, arrivedBefore): (Int64, Int64) = (0, 0)
        var promised: [String: Int64] = [:]
    }

    /// Maximum size of all files in bytes, applied to files that arrive while the engine runs; nil for no limit.
    let limit: Int64?
    private let state = Mutex(State())

    init(limit: Int64?) { self.limit = limit }

    /// Whether ``room`` is known: with a limit, only after the first scan of the folders.
    var isKnown: Bool { limit == nil || state.withLock { $0.present != nil } }

    /// Bytes that are free and not promised to files on their way; nil for no limit, 0 while that is not known.
    var room: Int64? { state.withLock { room($0) } }

    private func room(_ state: State) -> Int64? {
        limit.map { limit in
            guard let present = state.present else { return 0 }
            return max(0, limit - present - state.arrived - state.arrivedBefore - state.promised.values.reduce(0, +))
        }
    }

    /// Promises room to a file that is on its way, if it fits. A second promise with the same `id` replaces the first.
    /// - Parameter id: of the upload, import or fetch.
    /// - Returns: whether there is room; nil while that is not known.
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

    /// Renews the promise of room that an upload had in the last run, whether or not it fits.
    package func renew(_ bytes: Int64, to id: String) { state.withLock { $0.promised[id] = bytes } }

    /// Ends a promise.
    /// - Parameter isStored: whether the file is in the library now.
    package func end(_ id: String, isStored: Bool) {
        state.withLock { state in
            guard let bytes = state.promised.removeValue(forKey: id), isStored else { return }
            state.arrived += bytes
        }
    }

    /// Notes the beginning of a scan, which may or may not find files that arrive from now on.
    func beginScan() { state.withLock { ($0.arrivedBefore, $0.arrived) = ($0.arrivedBefore + $0.arrived, 0) } }

    /// Notes the end of the scan, which has found all files that had arrived before it began.
    /// - Parameter present: bytes of all files.
    func endScan(present: Int64) { state.withLock { ($0.arrivedBefore, $0.present) = (0, present) } }
}
