/// Encodes packets of sound for the network. One encoder serves all clients of one listener that have the same encoding.
public protocol PacketEncoder {
    /// Frames by which the decoded sound is later than the sound that was encoded.
    var delay: Int { get }

    /// Appends `samples` to `bytes`.
    /// - Parameter samples: interleaved left and right; 1.0 is full scale.
    mutating func encode(_ samples: UnsafeBufferPointer<Float>, into bytes: inout [UInt8])
}
