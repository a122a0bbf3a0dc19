internal import CSndFile
public import FileOutput
internal import Glibc

/// Converts sound files to FLAC with 24 bits. Samples beyond full scale are clipped.
public enum FlacFile {
    /// Maximum number of channels of the format.
    public static let mostChannels = 8

    /// - Parameters:
    ///   - path: a sound file of at most ``mostChannels`` channels.
    ///   - output: opened, and still empty; it is finished here.
    public static func convert(_ path: String, to output: OutputFile) throws(MediaError) {
        let source = try SoundFile(path: path)
        var info = SF_INFO()
        info.channels = Int32(source.channels)
        info.samplerate = Int32(source.rate)
        info.format = Int32(Int(SF_FORMAT_FLAC)) | Int32(SF_FORMAT_PCM_24)
        guard source.channels <= mostChannels, let handle = SoundHandle.open(output.descriptor, mode: SFM_WRITE, &info) else {
            throw MediaError("\(output.path) cannot be written: \(String(cString: sf_strerror(nil))).")
        }
        var isOpen = true
        defer { if isOpen { sf_close(handle) } }
        sf_command(handle, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        let frames = 1 << 14
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames * source.channels)
        defer { samples.deallocate() }
        while true {
            let count = try source.read(into: samples, frames: frames)
            guard count > 0 else { break }
            guard sf_writef_float(handle, samples, sf_count_t(count)) == sf_count_t(count) else {
                throw MediaError("\(output.path) could not be written: \(String(cString: sf_strerror(handle))). Is the disk full?")
            }
        }
        isOpen = false
        guard sf_close(handle) == 0 else { throw MediaError("\(output.path) could not be completed. Is the disk full?") }
        do { try output.finish() } catch { throw MediaError("\(error).") }
    }
}

extension FlacFile {
    /// Sound as a FLAC file of 24 bits in memory. Samples beyond full scale are clipped.
    ///
    /// - Parameters:
    ///   - interleaved: whole frames.
    ///   - channels: 1 to ``mostChannels``.
    ///   - rate: frames per second.
    public static func bytes(of interleaved: [Float], channels: Int, rate: Int) throws(MediaError) -> [UInt8] {
        let memory = SoundMemory()
        var info = SF_INFO()
        (info.channels, info.samplerate) = (Int32(channels), Int32(rate))
        info.format = Int32(Int(SF_FORMAT_FLAC)) | Int32(SF_FORMAT_PCM_24)
        guard let handle = SoundHandle.write(to: memory, &info) else {
            throw MediaError("FLAC with \(counted(channels, "channel")) at \(rate) Hz: \(String(cString: sf_strerror(nil))).")
        }
        sf_command(handle, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        let frames = sf_count_t(interleaved.count / channels)
        let written = sf_writef_float(handle, interleaved, frames)
        guard sf_close(handle) == 0, written == frames else { throw MediaError("A FLAC stream could not be written.") }
        return memory.bytes
    }
}
