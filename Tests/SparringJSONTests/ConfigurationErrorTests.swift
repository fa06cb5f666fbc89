import SparringJSON
import Testing

@Suite struct ConfigurationErrorTests {
    @Test func `an error that is seen from outside names the whole way, and keeps its words`() {
        let error = ConfigurationError(["accountId"], "is taken").inside(["tenants", "liveperson"])
        #expect(error == ConfigurationError(["tenants", "liveperson", "accountId"], "is taken"))
        #expect("\(error)" == "tenants.liveperson.accountId: is taken")
    }
}
