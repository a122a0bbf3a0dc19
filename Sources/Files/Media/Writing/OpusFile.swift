internal import CSndFile

/// Sound as Ogg files with Opus (RFC 7845), one channel each.
public enum OpusFile {
    /// Kilobits per second of a channel.
    public static let bitrates = 32...256

    /// Rates between which libsndfile spreads its compression levels, kilobits per second.
    private static let (lowest, highest) = (6.0, 256.0)

    /// Sound as a file in memory. Samples beyond full scale are clipped.
    ///
    /// - Parameters:
    ///   - samples: one channel at ``Opus/rate``.
    ///   - bitrate: kilobits per second, one of ``bitrates``.
    public static func bytes(of samples: [Float], bitrate: Int) throws(MediaError) -> [UInt8] {
        let memory = SoundMemory()
        var info = SF_INFO()
        (info.channels, info.samplerate) = (1, Int32(Opus.rate))
        info.format = Int32(Int(SF_FORMAT_OGG)) | Int32(SF_FORMAT_OPUS)
        guard let handle = SoundHandle.write(to: memory, &info) else {
            throw MediaError("Opus cannot be written: \(String(cString: sf_strerror(nil))).")
        }
        var level = (highest - Double(bitrate)) / (highest - lowest)
        sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
        sf_command(handle, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        let written = sf_writef_float(handle, samples, sf_count_t(samples.count))
        guard sf_close(handle) == 0, written == samples.count else { throw MediaError("An Opus stream could not be written.") }
        return memory.bytes
    }
}

/// The codec Opus.
public enum Opus {
    /// Frames per second of all that is encoded and decoded; Opus has no rate above it.
    public static let rate = 48_000
}
