internal import DSP

extension UnsafeMutablePointer<Float> {
    /// Writes the first `count` of sixteen samples.
    @_noLocks @_noAllocation @inline(__always)
    func setLanes(_ offset: Int, _ value: Lanes, count: Int) {
        if count == laneCount {
            setLanes(offset, value)
        } else {
            for i in 0..<count { self[offset &+ i] = value[i] }
        }
    }
}
