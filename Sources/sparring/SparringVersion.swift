/// The version of this program, client and server alike.
let sparringVersion = "0.1.0"
