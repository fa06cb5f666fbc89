/// How a verdict report can be had.
public enum ReportFormat: String, Sendable, CaseIterable {
    /// For a terminal.
    case text
    /// The same in colour.
    case ansi
    /// JUnit's XML, as CI systems read it.
    case junit
    /// One page that needs nothing else.
    case html
    /// A line for each complaint, as GitHub Actions shows it beside the run.
    case annotations
}

extension VerdictReport {
    public func rendered(_ format: ReportFormat) throws -> String {
        switch format {
        case .text: text(colour: false)
        case .ansi: text(colour: true)
        case .junit: try junit()
        case .html: html()
        case .annotations: annotations.joined(separator: "\n")
        }
    }
}
