/// Something that a client should do and that is not visible on the network.
package struct Unobservable: Sendable {
    package var vendor: String
    package var says: String
    package var source: String
    package var because: String
}
