package import GRDB

/// The engine's own tables. Vendors add theirs, named after them, each with a `sandbox` that cascades.
package enum Schema {
    package static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("engine.1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE process (number INTEGER PRIMARY KEY AUTOINCREMENT, started INTEGER NOT NULL);

                    CREATE TABLE sandbox (
                      id TEXT PRIMARY KEY,
                      position INTEGER NOT NULL,          -- order of creation
                      seed INTEGER NOT NULL,
                      creation TEXT NOT NULL,             -- what it was created with: clock and faults, for reset
                      clock TEXT NOT NULL,
                      journal_floor INTEGER NOT NULL DEFAULT 0,  -- highest number that has left the journal
                      pruned INTEGER NOT NULL DEFAULT 0          -- entries that the limit has cost
                    ) STRICT;

                    CREATE TABLE tenant (
                      vendor TEXT NOT NULL,
                      id TEXT NOT NULL,
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      configuration TEXT NOT NULL,
                      PRIMARY KEY (vendor, id)
                    ) STRICT, WITHOUT ROWID;
                    CREATE UNIQUE INDEX tenant_of_sandbox ON tenant (sandbox, vendor);

                    -- One b-tree in the order of appending: by `place`, which is the sandbox's position × 2^40 + the entry's number. There is
                    -- no foreign key, since that would want a second one; who deletes a sandbox deletes the range.
                    CREATE TABLE journal (
                      place INTEGER PRIMARY KEY,
                      sandbox TEXT NOT NULL,
                      kind TEXT NOT NULL,
                      operation TEXT,
                      lane TEXT,
                      ordinal INTEGER,
                      record BLOB NOT NULL                -- the whole entry as JSON
                    ) STRICT;

                    -- How far a lane had come when its entries left the journal.
                    CREATE TABLE lane (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      name TEXT NOT NULL,
                      ordinal INTEGER NOT NULL,
                      PRIMARY KEY (sandbox, name)
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE fault (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      number INTEGER NOT NULL,
                      text TEXT NOT NULL,
                      matched INTEGER NOT NULL DEFAULT 0,
                      hits INTEGER NOT NULL DEFAULT 0,
                      removed INTEGER NOT NULL DEFAULT 0, -- kept so that numbers are never given twice
                      PRIMARY KEY (sandbox, number)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE fault_lane (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      fault INTEGER NOT NULL,
                      lane TEXT NOT NULL,
                      matched INTEGER NOT NULL,
                      hits INTEGER NOT NULL,
                      PRIMARY KEY (sandbox, fault, lane)
                    ) STRICT, WITHOUT ROWID;

                    -- Whose a credential is that Sparring issued, so that the call that brings it is put in its owner's lane.
                    CREATE TABLE credential (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      value TEXT NOT NULL,                -- a digest of it
                      lane TEXT NOT NULL,
                      PRIMARY KEY (sandbox, value)
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE unplaced (number INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL) STRICT;
                    """)
        }
        migrator.registerMigration("engine.due-work.1") { db in
            try db.execute(
                sql: """
                    -- What is to be done at a time of a sandbox. Numbers are never given twice.
                    CREATE TABLE due_work (
                      number INTEGER PRIMARY KEY AUTOINCREMENT,
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      due INTEGER NOT NULL,               -- sandbox time in milliseconds
                      vendor TEXT NOT NULL,
                      kind TEXT NOT NULL,
                      what TEXT NOT NULL,
                      lane TEXT NOT NULL,
                      key TEXT,
                      body TEXT NOT NULL,
                      caused_by TEXT
                    ) STRICT;
                    CREATE INDEX due_work_of_sandbox ON due_work (sandbox, vendor, key);
                    """)
        }
        migrator.registerMigration("engine.alias.1") { db in
            try db.execute(
                sql: """
                    -- Who was behind a name: by numbers of entries, both included.
                    CREATE TABLE alias (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      name TEXT NOT NULL,
                      actor TEXT NOT NULL,
                      since INTEGER NOT NULL,             -- 0: the first, so that the calls before are that actor's
                      until INTEGER,                      -- NULL: still
                      UNIQUE (sandbox, name, since)
                    ) STRICT;
                    CREATE INDEX alias_of_actor ON alias (sandbox, actor);
                    """)
        }
        migrator.registerMigration("engine.faults.2") { db in
            // When a fault was armed, in milliseconds of sandbox time.
            try db.execute(sql: "ALTER TABLE fault ADD COLUMN since INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("engine.sandbox.2") { db in
            // When the sandbox was created or reset last, in nanoseconds of the machine's time.
            try db.execute(sql: "ALTER TABLE sandbox ADD COLUMN made INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("engine.due-work.2") { db in
            // Attempts after a restart, each counted before it begins.
            try db.execute(sql: "ALTER TABLE due_work ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("engine.varied.1") { db in
            try db.execute(
                sql: """
                    -- How many answers or messages of a kind a lane has got, of a sandbox that varies them.
                    CREATE TABLE varied (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      point TEXT NOT NULL,
                      lane TEXT NOT NULL,
                      count INTEGER NOT NULL,
                      PRIMARY KEY (sandbox, point, lane)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("engine.ended.1") { db in
            try db.execute(
                sql: """
                    -- Sandboxes that have ended by themselves: nothing else is left of them.
                    CREATE TABLE ended_sandbox (
                      sandbox TEXT PRIMARY KEY,
                      ended INTEGER NOT NULL,             -- milliseconds of the machine's time
                      reason TEXT NOT NULL,
                      tenants TEXT NOT NULL               -- ids by vendor, as JSON
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("engine.process.2") { db in
            // When a process stopped, in nanoseconds of the machine's time; NULL: it was killed. What is not known of older ones is not held against them.
            try db.execute(sql: "ALTER TABLE process ADD COLUMN stopped INTEGER")
            try db.execute(sql: "UPDATE process SET stopped = started")
        }
        migrator.registerMigration("engine.journal.2") { db in
            // What a server that stopped in order knew of the journal, as JSON, so that the next need not read all of it.
            try db.execute(sql: "ALTER TABLE sandbox ADD COLUMN journal_extent TEXT")
        }
        History.registerMigrations(in: &migrator)
        StoredFiles.registerMigrations(in: &migrator)
        migrator.registerMigration("engine.devices.1") { db in
            try db.execute(
                sql: """
                    -- Every device that a push was ever meant for.
                    CREATE TABLE device (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      token TEXT NOT NULL,
                      app TEXT NOT NULL,
                      push_type TEXT NOT NULL,
                      vendor TEXT,                        -- where it was registered last; NULL: nowhere
                      owner TEXT,                         -- by the vendor's id, the consumer who registered it last
                      consumer TEXT,                      -- the owner as the brand calls them
                      renewed TEXT,                       -- the device's token now; NULL: this one
                      PRIMARY KEY (sandbox, token)
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE device_notification (
                      sandbox TEXT NOT NULL REFERENCES sandbox ON DELETE CASCADE,
                      device TEXT NOT NULL,
                      number INTEGER NOT NULL,            -- of the device, from 1
                      time INTEGER NOT NULL,              -- sandbox time in milliseconds
                      content TEXT NOT NULL,              -- what the admin API shows beside number, time and device
                      file TEXT,                          -- what the iOS simulator takes
                      PRIMARY KEY (sandbox, device, number)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    }
}
