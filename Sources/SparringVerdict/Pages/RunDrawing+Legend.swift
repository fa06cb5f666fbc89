extension RunDrawing {
    /// What the marks mean.
    static let legend: Markup = {
        let marks: [(class: String, shape: Markup, words: String)] = [
            ("success", "<rect x=\"8\" y=\"5\" width=\"8\" height=\"8\"/>", "call, answered well"),
            ("failure", "<rect x=\"8\" y=\"2\" width=\"8\" height=\"14\"/>", "call that failed"),
            ("lost", "<rect x=\"8.5\" y=\"2.5\" width=\"7\" height=\"13\"/>", "call without an answer"),
            ("notification", "<path d=\"M12 6v6\"/>", "notification"),
            ("", "<path class=\"socket\" d=\"M0 9H24\"/>", "socket open"),
            ("closed", "<path d=\"M12 3v12\"/>", "socket over"),
            ("mark", "<path d=\"M12 3l5 6l-5 6l-5 -6z\"/>", "mark of the client"),
            ("fault", "<path d=\"M12 1V17\"/>", "fault"),
            ("clock", "<path d=\"M12 1V17\"/>", "clock moved"),
            ("", "<rect class=\"accused\" x=\"5\" y=\"1\" width=\"14\" height=\"16\"/>", "counted against the client"),
        ]
        let items = marks.map { mark -> Markup in
            """
            <li><svg class="run" width="24" height="18" aria-hidden="true"><g class="\(mark.class)">\(mark.shape)</g></svg>\
            \(mark.words)</li>
            """
        }
        return "<ul class=\"legend\">\(items)<li>#1 struck by fault 1</li></ul>"
    }()
}
