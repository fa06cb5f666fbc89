import SparringSandbox

extension Story {
    /// The story of a seed.
    init(drawn seed: Int64) {
        var draws = StoryDraws(seed: seed)
        self.init(seed: seed, steps: draws.story())
    }
}

/// Draws a story: which apps there are, what they do, and what befalls them.
struct StoryDraws {
    private let seed: Int64
    private var count = 0
    private var number = 0
    private var sandboxes = ["a"]
    private var forks = 0
    private var apps: [AppName] = []
    /// Apps that are signed in, and those that have a socket or need none, by sandbox; as far as steps show it.
    private var signedIn: Set<String> = []
    private var entered: Set<String> = []

    static let vendors = ["liveperson", "cxone", "khoros", "asapp", "talkdesk"]
    static let people = ["ada", "bob", "cleo"]

    init(seed: Int64) { self.seed = seed }

    mutating func below(_ bound: Int) -> Int {
        count += 1
        return Int(Draw(seed: seed, "story", String(count)).number(below: Int64(bound)))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// One of several things, each as often as its weight says.
    private mutating func weighed<Element>(_ elements: [(Int, Element)]) -> Element {
        var left = below(elements.reduce(0) { $0 + $1.0 })
        for (weight, element) in elements {
            if left < weight { return element }
            left -= weight
        }
        return elements[0].1
    }

    mutating func story() -> [Story.Step] {
        var steps = [Story.Step("create a")]
        var all = Self.people.flatMap { person in Self.vendors.map { AppName(person, $0) } }
        for _ in 0..<(2 + below(4)) { apps.append(all.remove(at: below(all.count))) }
        for _ in 0..<apps.count * 2 where below(8) > 0 { steps.append(Story.Step("a \(app(in: "a"))")) }
        for _ in 0..<(8 + below(25)) { steps.append(Story.Step(step())) }
        return steps
    }

    private mutating func fresh() -> Int {
        number += 1
        return number
    }

    private mutating func step() -> String {
        let sandbox = pick(sandboxes)
        switch weighed([(30, 0), (8, 1), (8, 2), (8, 3), (2, 4), (3, 5), (4, 6), (3, 7), (2, 8)]) {
        case 0: return "\(sandbox) \(app(in: sandbox))"
        case 1: return "\(sandbox) agent \(pick(apps)) \(weighed([(6, "say \(fresh())"), (2, "join"), (1, "close")]))"
        case 2: return "\(sandbox) clock \(pick(["1ms", "1s", "5s", "31s", "2m", "61m", "25h"]))"
        case 3: return "\(sandbox) fault \(fault())"
        case 4: return "\(sandbox) \(pick(["clear", "rotate"]))"
        case 5: return "\(sandbox) settings \(settings())"
        case 6:
            entered = []
            return pick(["restart", "kill"])
        case 7: return "trouble \(below(25))"
        default: return world(sandbox)
        }
    }

    private mutating func world(_ sandbox: String) -> String {
        switch below(6) {
        case 0...3 where forks < 2:
            forks += 1
            let name = "f\(forks)"
            sandboxes.append(name)
            forget(name)
            return "\(sandbox) fork \(name) \(below(12))"
        case 4:
            forget(sandbox)
            return "\(sandbox) reset"
        case 5 where sandbox != "a":
            sandboxes.removeAll { $0 == sandbox }
            return "\(sandbox) delete"
        default:
            guard !sandboxes.contains("b") else { return "\(sandbox) push \(pick(apps)) \(fresh())" }
            sandboxes.append("b")
            return "create b"
        }
    }

    private mutating func forget(_ sandbox: String) {
        signedIn = signedIn.filter { !$0.hasPrefix(sandbox + " ") }
        entered = entered.filter { !$0.hasPrefix(sandbox + " ") }
    }

    private mutating func app(in sandbox: String) -> String {
        let app = pick(apps)
        let place = "\(sandbox) \(app)"
        if below(4) > 0 {
            if signedIn.insert(place).inserted { return "\(app) sign-in" }
            if app.vendor != "talkdesk", entered.insert(place).inserted { return "\(app) enter" }
        }
        let deed = weighed([
            (12, "say \(fresh())"), (4, "read"), (4, "enter"), (3, "sign-in"), (3, "register \(app.lane)-\(below(2))"),
            (1, "unregister \(app.lane)-\(below(2))"), (2, "leave"), (1, "end"), (2, "race \(2 + below(7))"), (2, "replay"),
        ])
        if deed == "leave" { entered.remove(place) }
        return "\(app) \(deed)"
    }

    private mutating func fault() -> String {
        let vendor = below(5) == 0 ? "identity" : pick(apps).vendor
        let effect = pick([
            "status code=503", "status code=500 phase=onResponseStart", "delay by=2s", "delay by=40s phase=onResponseStart",
            "malformed-json", "empty-body", "EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER",
            "CONNECTION_RESET_BY_PEER phase=onResponseStart", "truncate", "drop message=*", "delay by=3s message=*",
            "close code=1011 message=*",
        ])
        var text = "\(vendor).* \(effect)"
        switch below(4) {
        case 0: text += " times=\(1 + below(3))"
        case 1: text += " probability=0.\(1 + below(9)) ttl=5m"
        case 2: text += " every=\(2 + below(3)) per=lane ttl=5m"
        default: text += " skip=\(below(4)) times=2"
        }
        return text
    }

    private mutating func settings() -> String {
        pick([
            "liveperson {\"tokenLifetime\":\"7m\"}", "liveperson {\"agents\":[{\"userId\":\"55\",\"script\":\"echo\"}]}",
            "talkdesk {\"agents\":[{\"id\":\"7\",\"name\":\"Echo\",\"script\":\"echo\"}]}", "talkdesk {\"tokenLifetime\":\"60s\"}",
            "cxone {\"channelDefaults\":{\"authorization\":\"oauth\"}}", "identity {\"codeLifetime\":\"20s\"}",
        ])
    }
}
