import Engine
import Query

extension Health.Sound {
    init(_ report: SoundReport) {
        self.init()
        plausible = report.isPlausible
        silentListeners = report.silentListeners
        resets = report.resets
        recentResets = report.recentResets
        recentSeconds = SoundReport.window
        nonFinite = report.nonFinite
        overloaded = report.isOverloaded
        latest = report.latest
    }
}
