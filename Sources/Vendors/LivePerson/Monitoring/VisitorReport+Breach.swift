extension VisitorReport.Impression {
    /// The rule that the impression breaks: it belongs to an engagement of the account, as it was fetched in the same session
    /// (LivePerson reference 9.2). Nil where it breaks none.
    func breach(_ campaigns: [LivePerson.Campaign], _ fetched: [MonitoringState.Fetched]) -> String? {
        guard let campaign, let engagement else { return "\(type) lacks \(campaign == nil ? "campaign" : "engId")" }
        guard campaigns.hasCampaign(campaign) else { return "\(words): the account has no such campaign" }
        guard campaigns.engagement(engagement, of: campaign) != nil else { return "\(words): the campaign has no such engagement" }
        let here = fetched.filter { $0.campaign == campaign && $0.engagement == engagement }
        guard !here.isEmpty else { return "\(words): it was not fetched in this session" }
        let revisions = here.map { String($0.revision) }.joined(separator: ", ")
        guard let revision else { return "\(words): revision is missing, it was fetched with \(revisions)" }
        guard let match = here.first(where: { $0.revision == revision }) else {
            return "\(words): revision is \(revision), it was fetched with \(revisions)"
        }
        guard let context else { return "\(words): eContext is missing, it was fetched with context \(match.context)" }
        guard context == String(match.context) else {
            return "\(words): context is \(context), it was fetched with \(match.context)"
        }
        return nil
    }
}
