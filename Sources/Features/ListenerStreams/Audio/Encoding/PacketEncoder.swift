/// Encodes packets of sound for the network. One encoder serves all clients of one listener that have the same encoding.
public protocol PacketEncoder {
    /// Appends `samples` to `bytes`.
    /// - Parameter samples: interleaved left and right; 1.0 is full scale.
    mutating func encode(_ samples: UnsafeBufferPointer<Float>, into bytes: inout [UInt8])
}
