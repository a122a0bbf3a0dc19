extension Evaluation {
    /// The report as a self-contained HTML page.
    public var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Motion-tracked binaural methods, measured</title>
        <style>
        \(ReportStyle.css)
        </style>
        </head>
        <body>
        <h1>Motion-tracked binaural methods, measured</h1>
        <p>Each method is rendered by the code that plays live and compared with the exact pressure at the ear of a
        rigid sphere of \(plan.radius) m, in the horizontal plane. Microphones are without noise and errors, except in the
        section about them. Seed \(plan.seed):
        the same seed gives the same figures. They stand in full in
        \(csvFiles.map { "<code>\($0.name)</code>" }.joined(separator: ", ")) beside this page.</p>
        <h2>The ear at rest: level</h2>
        \(levelTable)
        \(plots("Mean level error", 0...6, step: 1) { $0.erb.map(\.mean) })
        <h2>The ear at rest: waveform, time and level between ears</h2>
        \(plots("Difference to the exact ear", -60...10, step: 10) { $0.complexError })
        \(localisationTable)
        <h2>The head leans</h2>
        \(tiltTable)
        <h2>Imperfect microphones</h2>
        \(sensorTable)
        \(noisePlots)
        <h2>The head turns</h2>
        \(exceptions)
        \(turnTables)
        \(ReportText.definitions(plan))
        \(ReportText.sources)
        </body>
        </html>

        """
    }
}
