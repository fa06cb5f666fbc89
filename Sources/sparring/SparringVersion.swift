/// The version of this build.
let sparringVersion = "0.1.0"
