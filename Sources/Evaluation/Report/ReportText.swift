internal import Binaural

/// Section of the report about its method.
enum ReportText {
    static func definitions(_ plan: EvaluationPlan) -> String {
        """
        <h2>Method</h2>
        <dl>
        <dt>Renderer</dt>
        <dd>Microphone signals go through the frame ring into the renderer, poses through a tracker input, one
        per block of \(EarRenderer.block) frames at 48 kHz; the ears are the sound sent to network listeners. Ears at 90
        degrees.</dd>
        <dt>Exact ear and microphones</dt>
        <dd>Plane waves on a rigid sphere. The pressure on its equator is a Fourier series in the azimuth, truncated
        where its terms are negligible, so that microphones, fixed ears and moving ears follow from one formula without
        interpolation.</dd>
        \(personal(plan))<dt>At rest</dt>
        <dd>\(2 * plan.sources) source azimuths, and ear positions at the midpoints of \(plan.positions) equal parts of
        a sector. The stimulus is periodic noise (period \(plan.period) samples, all lines of one magnitude, random
        phases); after settling, the lines of one period are compared. For linear time-invariant methods this is the
        exact transfer function, for methods based on short-time spectra it is the response to noise. Powers are summed
        in ERB bands (one ERB wide, ERB numbers 3 to 39) before conversion to levels. Level error: rendered against
        exact, dB; every source, position and band has the same weight. Bias: signed mean.</dd>
        <dt>Difference to the exact ear</dt>
        <dd>Power of rendered minus exact over the power of exact, after removing the response common to all
        ears: the method's latency and crossover phase, measured with the ear at a microphone, where nothing is
        interpolated.</dd>
        <dt>ITD</dt>
        <dd>Maximum of the cross-correlation of both ears from 100 to 1500 Hz; rendered minus exact.</dd>
        <dt>ILD</dt>
        <dd>Left against right in each ERB band, dB; rendered minus exact.</dd>
        <dt>The head leans</dt>
        <dd>\(plan.tiltSources) source azimuths; the head's yaw is a quarter of a sector. Sources are in the plane of the microphones:
        a ring cannot tell the elevation of a source.</dd>
        <dt>Imperfect microphones</dt>
        <dd>Noise: every microphone gets independent noise of one level and nothing else; the power at the ear in each ERB
        band, over the power of one microphone in it. Gain and position errors are normally distributed, \(plan.sensorTakes)
        sets of them, and unknown to the renderer; \(2 * plan.sensorSources) source azimuths and \(plan.sensorPositions) ear
        positions in a sector.</dd>
        <dt>Turning head</dt>
        <dd>At constant speed, \(plan.takes) times \(plan.turnPeriod) samples per scene, each time with the scene
        rotated by 97 degrees and with other noise (40 Hz to 16 kHz). The exact ear turns with the head sample by sample; its
        sound is delayed by the method's latency, its motion is not. Hann frames of \(TurnFrames.length) samples
        every \(TurnFrames.hop), ERB bands. Scenes: sources of equal level in the horizontal plane; the diffuse field
        is 72 of them, so it is diffuse in the plane only.</dd>
        <dt>Borders</dt>
        <dd>From 10 ms before an ear reaches the midpoint between two microphones to 20 ms after it is a degree past it. A
        dash means that no part of a turn is away from borders. Modulation: change of a band's level error from
        frame to frame. In frames this short, noise from several sources alone causes changes, so compare methods
        with one another.</dd>
        </dl>
        """
    }

    private static func personal(_ plan: EvaluationPlan) -> String {
        guard plan.methods.contains(.personal) else { return "" }
        return """
            <dt>personal</dt>
            <dd>Reproduces another head: a rigid sphere of \(plan.headRadius) m, measured every
            5 degrees. Its exact ears are those of that sphere; above 1.5 kHz it fits magnitudes, not phases, so the
            difference to the exact ear is large there by design.</dd>

            """
    }

    static let sources = """
        <h2>Sources</h2>
        <ul>
        <li>V. R. Algazi, R. O. Duda, D. M. Thompson: Motion-tracked binaural sound. JAES 52(11), 2004: nearest,
        linear, two-band.</li>
        <li>R. C.-M. Hom, V. R. Algazi, R. O. Duda: High-frequency interpolation for motion-tracked binaural sound.
        AES 121st Convention, 2006: two-band-spectral.</li>
        <li>R. O. Duda, W. L. Martens: Range dependence of the response of a spherical head model. JASA 104(5), 1998:
        the rigid sphere.</li>
        <li>B. R. Glasberg, B. C. J. Moore: Derivation of auditory filter shapes from notched-noise data. Hearing
        Research 47, 1990: the ERB scale.</li>
        <li>IEC 61260-1: third octaves, base ten (static-bands.csv).</li>
        <li>The reference simulation evaluates the formulas alone, at lines 46.875 Hz apart: narrow low bands without a
        line, which have the smallest errors, are missing, so that its values are up to 0.05 dB (mean of all) and 0.15 dB
        (95th percentile) higher than this page with the same method.</li>
        </ul>
        """
}
