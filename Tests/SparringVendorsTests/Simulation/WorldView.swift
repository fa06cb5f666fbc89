import SparringJSON

/// A sandbox as the admin API shows it, in the form of a past (`GET …/journal/{number}/world`).
enum WorldView {
    /// - Parameter get: reads a path beneath the sandbox's.
    static func now(_ get: (String) async throws -> JSON) async throws -> JSON {
        let conversations = try await get("conversations")["conversations"]?.array ?? []
        var whole: [JSON] = []
        for conversation in conversations {
            let (vendor, id) = (conversation["vendor"]?.string ?? "", conversation["id"]?.string ?? "")
            whole.append(try await get("\(vendor)/conversations/\(id)"))
        }
        let consumers = (try await get("consumers")["consumers"]?.array ?? []).map { consumer -> JSON in
            var members = consumer.object ?? [:]
            // They end with the process.
            members["sockets"] = nil
            return .object(members)
        }
        var devices: [JSON] = []
        for var device in try await get("devices")["devices"]?.array ?? [] {
            device["inbox"] = try await get("devices/\(device["token"]?.string ?? "")/notifications")["notifications"]
            devices.append(device)
        }
        return [
            "clock": try await get("clock"), "faults": try await get("faults")["faults"] ?? [],
            "consumers": .array(consumers), "conversations": .array(whole), "devices": .array(devices),
        ]
    }
}
