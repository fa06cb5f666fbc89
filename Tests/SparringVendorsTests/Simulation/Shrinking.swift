extension Story {
    /// The story without steps that the failure does not need (Zeller and Hildebrandt 2002, ddmin).
    ///
    /// - Parameters:
    ///   - plays: so many at most.
    ///   - failure: what a story fails with; nil: it does not.
    func shrunk(plays: Int = 150, _ failure: (Story) async -> String?) async -> Story {
        var (story, left, parts) = (self, plays, 2)
        while story.steps.count > 1, left > 0 {
            let size = max(1, story.steps.count / parts)
            var smaller: Story?
            for start in stride(from: 0, to: story.steps.count, by: size) where left > 0 {
                var candidate = story
                candidate.steps.removeSubrange(start..<min(start + size, story.steps.count))
                left -= 1
                if await failure(candidate) != nil {
                    smaller = candidate
                    break
                }
            }
            if let smaller {
                (story, parts) = (smaller, max(2, parts - 1))
            } else if size == 1 {
                break
            } else {
                parts = min(story.steps.count, parts * 2)
            }
        }
        return story
    }
}
