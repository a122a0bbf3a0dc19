/// Sixteen adjacent samples: the width of all kernels.
public typealias Lanes = SIMD16<Float>

/// Number of samples in one ``Lanes``.
public var laneCount: Int { @_noLocks @_noAllocation @inlinable get { 16 } }

/// `count` rounded up to whole ``Lanes``.
@_noLocks @_noAllocation @inlinable
public func roundedToLanes(_ count: Int) -> Int { (count &+ 15) & ~15 }

extension UnsafePointer<Float> {
    /// Returns sixteen samples from `offset` on, at any alignment.
    @_noLocks @_noAllocation @inlinable
    public func lanes(_ offset: Int) -> Lanes {
        UnsafeRawPointer(self + offset).loadUnaligned(as: Lanes.self)
    }
}

extension UnsafeMutablePointer<Float> {
    /// Returns zeros aligned to a cache line, as transforms and whole ``Lanes`` require; freed by `deallocate()`.
    public static func allocateAligned(_ count: Int) -> UnsafeMutablePointer<Float> {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: Swift.max(1, count) * MemoryLayout<Float>.stride, alignment: 64)
        let floats = memory.bindMemory(to: Float.self, capacity: count)
        floats.initialize(repeating: 0, count: count)
        return floats
    }

    /// Returns sixteen samples from `offset` on, at any alignment.
    @_noLocks @_noAllocation @inlinable
    public func lanes(_ offset: Int) -> Lanes {
        UnsafeRawPointer(self + offset).loadUnaligned(as: Lanes.self)
    }

    /// Writes sixteen samples from `offset` on, at any alignment.
    @_noLocks @_noAllocation @inlinable
    public func setLanes(_ offset: Int, _ value: Lanes) {
        UnsafeMutableRawPointer(self + offset).storeBytes(of: value, as: Lanes.self)
    }
}
