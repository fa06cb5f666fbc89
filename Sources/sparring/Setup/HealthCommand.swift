import ArgumentParser
import SparringJSON

/// `sparring health`
struct HealthCommand: ServerCommand {
    static let abstract = "Check that the server answers, for the health checks of containers."
    static let discussion = """
        Needs no token. Exits with 0 if the server answers, with 74 if it cannot write its database, and with 69 if it does not answer.
          sparring health
        """

    @OptionGroup(title: "Connection") var connection: ConnectionOptions

    func run(_ server: AdminClient) async throws {
        try connection.show(try await server.call(.readHealth, timeout: .seconds(5))) { health in
            "\(server.baseURL) answers" + (health["accepting"] == false ? ", and takes no new sandboxes" : "")
        }
    }
}
