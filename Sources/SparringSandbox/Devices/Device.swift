import GRDB

/// A device as a push service knows it: by its token.
public struct Device: Sendable {
    public var token: String
    public var app: String
    /// The push service's word, such as `APNS`.
    public var pushType: String
    /// The vendor that it was last registered with; nil: none.
    public var vendor: String?
    /// The person who registered it last and is signed in there: by the vendor's id, and by the brand's name for them.
    public var owner: String?
    public var consumer: String?
    /// The token that the device has now; nil: this one.
    public var renewed: String?

    public init(
        token: String, app: String, pushType: String, vendor: String? = nil, owner: String? = nil, consumer: String? = nil,
        renewed: String? = nil
    ) {
        self.token = token
        self.app = app
        self.pushType = pushType
        self.vendor = vendor
        self.owner = owner
        self.consumer = consumer
        self.renewed = renewed
    }

    init(_ row: Row) {
        self.init(
            token: row["token"], app: row["app"], pushType: row["push_type"], vendor: row["vendor"], owner: row["owner"],
            consumer: row["consumer"], renewed: row["renewed"])
    }
}
