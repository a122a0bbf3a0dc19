/// Style of the report, which is in `web/report/report.css`.
enum ReportStyle {
    /// Number of methods with a colour of their own.
    static let colours = 8
}
