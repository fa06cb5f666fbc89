import Testing

@testable import SparringSandbox

/// File systems on which SQLite's log does not work.
@Suite struct NetworkFileSystemTests {
    private static let mounts = """
        22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
        30 22 0:40 / /srv/share rw,relatime shared:1 - nfs4 files:/share rw,vers=4.2
        31 30 254:1 / /srv/share/local rw - xfs /dev/vdb rw
        32 22 0:41 / /mnt/two\\040words rw - cifs //files/two rw
        33 22 0:42 / /mnt/over rw - nfs files:/over rw
        34 33 0:43 / /mnt/over rw - tmpfs tmpfs rw
        a line that is none
        """

    @Test(
        arguments: [
            ("/", nil), ("/var/lib", nil), ("/srv/share", "nfs4"), ("/srv/share/a/b", "nfs4"), ("/srv/shared", nil),
            ("/srv/share/local/x", nil),
            ("/mnt/two words", "cifs"), ("/mnt/over", nil),
        ] as [(String, String?)])
    func `the nearest mount counts`(_ folder: String, _ type: String?) {
        #expect(NetworkFileSystem.type(of: folder, among: Self.mounts) == type)
    }

    @Test func `this machine's own are none, and neither is a folder that is not there`() {
        for path in ["/proc/x", "/dev/shm/x.db", "/no/such/folder/x.db", "x.db"] { #expect(NetworkFileSystem.type(of: path) == nil) }
    }
}
