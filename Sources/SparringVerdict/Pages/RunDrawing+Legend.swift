extension RunDrawing {
    /// The meanings of the signs that this drawing has.
    var legend: Markup {
        let kinds = Set(report.timeline.map(\.kind))
        let signs: [(isShown: Bool, class: String, shape: Markup, words: String)] = [
            (
                kinds.contains(.success) || kinds.contains(.opened), "success", "<rect x=\"8\" y=\"5\" width=\"8\" height=\"8\"/>",
                "call, answered well"
            ),
            (kinds.contains(.failure), "failure", "<rect x=\"8\" y=\"2\" width=\"8\" height=\"14\"/>", "call that failed"),
            (kinds.contains(.lost), "lost", "<rect x=\"8.5\" y=\"2.5\" width=\"7\" height=\"13\"/>", "call without an answer"),
            (kinds.contains(.notification), "notification", "<path d=\"M12 6v6\"/>", "notification"),
            (kinds.contains(.opened), "", "<path class=\"socket\" d=\"M0 9H24\"/>", "socket open"),
            (kinds.contains(.closed), "closed", "<path d=\"M12 3v12\"/>", "socket closed"),
            (kinds.contains(.mark), "mark", "<path d=\"M12 3l5 6l-5 6l-5 -6z\"/>", "mark that the client's test set"),
            (kinds.contains(.fault), "fault", "<path d=\"M12 1V17\"/>", "fault armed or removed"),
            (kinds.contains(.clock), "clock", "<path d=\"M12 1V17\"/>", "clock moved"),
            (
                !accused.isEmpty, "", "<rect class=\"accused\" x=\"5\" y=\"1\" width=\"14\" height=\"16\"/>",
                "counted against the client"
            ),
        ]
        let items = signs.filter(\.isShown).map { sign -> Markup in
            """
            <li><svg class="run" width="24" height="18" aria-hidden="true"><g class="\(sign.class)">\(sign.shape)</g></svg>\
            \(sign.words)</li>
            """
        }
        let isStruck = report.timeline.contains { !$0.faults.isEmpty }
        return "<ul class=\"legend\">\(items)\(isStruck ? "<li>#1 struck by fault 1</li>" as Markup : .none)</ul>"
    }
}
