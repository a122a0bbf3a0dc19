internal import CALSA

/// Configuration negotiated with an ALSA device.
struct ALSASetup: Sendable {
    let sampleFormat: SampleFormat
    /// Number of channels: as many as wanted or more; recording prefers two to one.
    let channels: Int
    /// Frames per block.
    let period: Int
    /// Buffer size of the device in frames.
    let buffer: Int
    /// Whether a plugin resamples.
    let resamples: Bool

    /// Configures the device. Throws an error with the possible values if it does not support the requested ones.
    ///
    /// - Parameter channels: number of channels needed for playback.
    init(_ device: ALSAHandle, _ wanted: DeviceFormat, channels needed: Int = 2) throws(DeviceError) {
        let pcm = device.pcm
        var parameters: OpaquePointer?
        try device.check(snd_pcm_hw_params_malloc(&parameters), "parameters")
        defer { snd_pcm_hw_params_free(parameters) }
        resamples = try Self.setRate(device, parameters, UInt32(wanted.rate))
        try device.check(
            snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED), "interleaved samples")
        sampleFormat = try Self.setFormat(device, parameters)
        channels = try Self.setChannels(device, parameters, needed)
        var period = snd_pcm_uframes_t(wanted.period)
        try device.check(
            snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil),
            "a period of \(wanted.period) frames")
        var buffer = period * snd_pcm_uframes_t(wanted.periods)
        var least = snd_pcm_uframes_t()
        if snd_pcm_hw_params_get_buffer_size_min(parameters, &least) >= 0 { buffer = max(buffer, least) }
        try device.check(
            snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer), "a buffer of \(buffer) frames")
        try device.check(
            snd_pcm_hw_params(pcm, parameters),
            "\(wanted.rate) frames per second with a period of \(period) and a buffer of \(buffer) frames")
        snd_pcm_hw_params_get_period_size(parameters, &period, nil)
        snd_pcm_hw_params_get_buffer_size(parameters, &buffer)
        guard DeviceFormat.periods.contains(Int(period)), buffer >= 2 * period else {
            throw DeviceError(
                "The ALSA device \"\(device.name)\" offers a period of \(period) and a buffer of \(buffer) frames "
                    + "where \(wanted.period) and \(wanted.period * wanted.periods) were requested. "
                    + "Ask for another period.")
        }
        self.period = Int(period)
        self.buffer = Int(buffer)
        try Self.setSoftware(device, period: period, buffer: buffer)
    }

    /// Resets `parameters` and sets the rate, with a plugin's resampling only when the hardware lacks the rate.
    /// - Returns: whether a plugin resamples.
    private static func setRate(
        _ device: ALSAHandle, _ parameters: OpaquePointer?, _ rate: UInt32
    ) throws(DeviceError) -> Bool {
        let pcm = device.pcm
        for resamples: UInt32 in [0, 1] {
            try device.check(snd_pcm_hw_params_any(pcm, parameters), "any configuration")
            _ = snd_pcm_hw_params_set_rate_resample(pcm, parameters, resamples)
            if snd_pcm_hw_params_set_rate(pcm, parameters, rate, 0) >= 0 { return resamples == 1 }
        }
        throw DeviceError(
            "The ALSA device \"\(device.name)\" does not run at \(rate) frames per second; it offers "
                + "\(offered(parameters, snd_pcm_hw_params_get_rate_min, snd_pcm_hw_params_get_rate_max)). "
                + "\"plughw\" instead of \"hw\" in its name converts the rate.")
    }

    private static func setFormat(
        _ device: ALSAHandle, _ parameters: OpaquePointer?
    ) throws(DeviceError) -> SampleFormat {
        for format in SampleFormat.allCases
        where snd_pcm_hw_params_set_format(device.pcm, parameters, format.alsa) >= 0 { return format }
        let offered = (0...SND_PCM_FORMAT_LAST.rawValue).compactMap { value -> String? in
            let format = snd_pcm_format_t(rawValue: value)
            guard snd_pcm_hw_params_test_format(device.pcm, parameters, format) == 0 else { return nil }
            return snd_pcm_format_name(format).map { String(cString: $0) }
        }
        throw DeviceError(
            "The ALSA device \"\(device.name)\" supports neither floats nor integers of 32 or 16 bits; it offers "
                + "\(offered.joined(separator: ", ")). \"plughw\" instead of \"hw\" in its name converts them.")
    }

    private static func setChannels(
        _ device: ALSAHandle, _ parameters: OpaquePointer?, _ needed: Int
    ) throws(DeviceError) -> Int {
        let more = Array(max(3, needed)...max(needed, ChannelPair.mostChannels))
        let counts = needed > 2 ? more : (device.direction == .capture ? [2, 1] : [2]) + more
        for count in counts where snd_pcm_hw_params_set_channels(device.pcm, parameters, UInt32(count)) >= 0 { return count }
        let offered = offered(
            parameters, { parameters, value, _ in snd_pcm_hw_params_get_channels_min(parameters, value) },
            { parameters, value, _ in snd_pcm_hw_params_get_channels_max(parameters, value) })
        throw DeviceError(
            "The ALSA device \"\(device.name)\" does not have \(needed) channels; it offers \(offered)."
                + (needed == 2
                    ? " \"plughw\" instead of \"hw\" in its name converts to two."
                    : " Choose lower channels with \(device.direction == .playback ? "--output" : "--array-channels")."))
    }

    /// The numbers of channels that a device can be opened with; nil when it does not report them.
    static func channels(_ device: ALSAHandle) -> ClosedRange<Int>? {
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) >= 0 else { return nil }
        defer { snd_pcm_hw_params_free(parameters) }
        var (least, most) = (UInt32(), UInt32())
        guard snd_pcm_hw_params_any(device.pcm, parameters) >= 0, snd_pcm_hw_params_get_channels_min(parameters, &least) >= 0,
            snd_pcm_hw_params_get_channels_max(parameters, &most) >= 0, least <= most
        else { return nil }
        return Int(least)...Int(most)
    }

    private static func offered(
        _ parameters: OpaquePointer?,
        _ least: (OpaquePointer?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Int32>?) -> Int32,
        _ most: (OpaquePointer?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<Int32>?) -> Int32
    ) -> String {
        var low: UInt32 = 0
        var high: UInt32 = 0
        guard least(parameters, &low, nil) >= 0, most(parameters, &high, nil) >= 0 else { return "none" }
        return low == high ? "\(low)" : "\(low) to \(high)"
    }

    /// Sets the software parameters: start when full, wake when a block fits, timestamp positions.
    private static func setSoftware(
        _ device: ALSAHandle, period: snd_pcm_uframes_t, buffer: snd_pcm_uframes_t
    ) throws(DeviceError) {
        let pcm = device.pcm
        var parameters: OpaquePointer?
        try device.check(snd_pcm_sw_params_malloc(&parameters), "parameters")
        defer { snd_pcm_sw_params_free(parameters) }
        try device.check(snd_pcm_sw_params_current(pcm, parameters), "parameters")
        try device.check(
            snd_pcm_sw_params_set_start_threshold(pcm, parameters, buffer / period * period), "a start when full")
        try device.check(snd_pcm_sw_params_set_avail_min(pcm, parameters, period), "waking once per period")
        // Not every plugin has timestamps or a choice of clock; the stream checks the timestamps.
        _ = snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE)
        _ = snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        try device.check(snd_pcm_sw_params(pcm, parameters), "a start when full and waking once per period")
    }
}
