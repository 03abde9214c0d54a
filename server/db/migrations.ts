/**
 * The schema changes, in order. Append only: never change one that was released. A step must leave tables that the release
 * before can use, since servers of both use a PostgreSQL database during an upgrade (CONTRIBUTING.md, "A table in the
 * database"): it adds, with defaults. What a release does not use any more is removed in the one after it.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    username TEXT NOT NULL UNIQUE CHECK (username <> ''),
    password_hash TEXT NOT NULL,
    scope TEXT NOT NULL,
    lock_password INTEGER NOT NULL,
    perm TEXT NOT NULL,
    commands TEXT NOT NULL,
    rules TEXT NOT NULL,
    preferences TEXT NOT NULL,
    changed_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token TEXT NOT NULL,
    previous_token TEXT,
    previous_until_ms INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_user ON sessions (user_id);
  CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    root TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    overwrite INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    touched_ms INTEGER NOT NULL,
    contested INTEGER NOT NULL DEFAULT 0,
    handed_over INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX uploads_by_path ON uploads (root, user_id, path);
  `,
  `
  CREATE TABLE shares (
    hash TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    is_folder INTEGER NOT NULL,
    expires_s INTEGER NOT NULL,
    password_hash TEXT NOT NULL,
    token TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX shares_by_user ON shares (user_id);
  `,
  `
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    session TEXT NOT NULL,
    address TEXT NOT NULL,
    action TEXT NOT NULL,
    path TEXT NOT NULL,
    target TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    status INTEGER NOT NULL,
    share TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_by_user ON audit (user_id, id);
  CREATE INDEX audit_by_time ON audit (at_ms);
  CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the record is never changed'); END;
  `,
  `ALTER TABLE audit ADD COLUMN whom TEXT NOT NULL DEFAULT '';`,
  `
  ALTER TABLE shares ADD COLUMN real_path TEXT NOT NULL DEFAULT '';
  ALTER TABLE shares ADD COLUMN target TEXT NOT NULL DEFAULT '';
  `,
  `ALTER TABLE audit ADD COLUMN times INTEGER NOT NULL DEFAULT 1;`,
  `
  ALTER TABLE uploads ADD COLUMN unverified_from INTEGER;
  CREATE INDEX uploads_unfinished ON uploads (user_id) WHERE handed_over = 0;
  CREATE INDEX uploads_finished ON uploads (user_id, touched_ms) WHERE handed_over = 1;
  `,
  `
  CREATE TABLE homes_due (user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE) STRICT;
  `,
  `
  ALTER TABLE sessions DROP COLUMN token;
  ALTER TABLE sessions DROP COLUMN previous_token;
  ALTER TABLE sessions DROP COLUMN previous_until_ms;
  `,
  `ALTER TABLE sessions ADD COLUMN own_cookie INTEGER NOT NULL DEFAULT 0;`,
  `
  DROP INDEX shares_by_user;
  CREATE INDEX shares_by_path ON shares (user_id, path);
  CREATE INDEX shares_by_real_path ON shares (user_id, real_path);
  `,
  `
  CREATE TABLE journal (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root TEXT NOT NULL,
    writer TEXT NOT NULL,
    is_done INTEGER NOT NULL DEFAULT 0,
    at_ms INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    session TEXT NOT NULL,
    client TEXT NOT NULL,
    verb TEXT NOT NULL,
    path TEXT NOT NULL,
    target TEXT NOT NULL,
    undo_of INTEGER NOT NULL DEFAULT 0,
    undone_by INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX journal_by_user ON journal (root, user_id, id);
  CREATE INDEX journal_unfinished ON journal (root) WHERE is_done = 0;
  CREATE TABLE journal_steps (
    entry INTEGER NOT NULL REFERENCES journal (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    path TEXT NOT NULL,
    target TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    kept TEXT NOT NULL,
    is_folder INTEGER NOT NULL,
    PRIMARY KEY (entry, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX journal_steps_by_path ON journal_steps (path);
  CREATE INDEX journal_steps_by_target ON journal_steps (target) WHERE target <> '';

  CREATE TABLE kept (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    entry INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    role TEXT NOT NULL,
    path TEXT NOT NULL,
    is_folder INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL,
    shares TEXT NOT NULL
  ) STRICT;
  CREATE INDEX kept_by_path ON kept (root, role, path);
  CREATE INDEX kept_by_entry ON kept (entry);
  `,
  `
  ALTER TABLE journal ADD COLUMN job_item INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX journal_by_job_item ON journal (job_item) WHERE job_item <> 0;

  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root TEXT NOT NULL,
    writer TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session TEXT NOT NULL,
    client TEXT NOT NULL,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    made_ms INTEGER NOT NULL,
    ended_ms INTEGER NOT NULL DEFAULT 0,
    is_partial INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX jobs_by_user ON jobs (root, user_id, id);

  CREATE TABLE job_items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    target TEXT NOT NULL,
    decision TEXT NOT NULL,
    copy_name TEXT NOT NULL,
    state TEXT NOT NULL,
    merges INTEGER NOT NULL DEFAULT 0,
    landed TEXT NOT NULL DEFAULT '',
    entry INTEGER NOT NULL DEFAULT 0,
    fault TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX job_items_by_job ON job_items (job, id);
  CREATE INDEX job_items_by_copy ON job_items (copy_name);
  `,
  `
  ALTER TABLE job_items ADD COLUMN part TEXT NOT NULL DEFAULT '';
  ALTER TABLE jobs ADD COLUMN request TEXT NOT NULL DEFAULT '';
  ALTER TABLE audit ADD COLUMN entry INTEGER NOT NULL DEFAULT 0;
  `,
  `
  CREATE INDEX kept_by_trash ON kept (root, substr(name, 26), id, size_bytes);
  CREATE INDEX kept_by_role ON kept (root, role, id);
  CREATE INDEX kept_by_user ON kept (root, user_id, id);
  CREATE INDEX kept_unmeasured ON kept (root) WHERE size_bytes < 0;
  ALTER TABLE journal ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE kept ADD COLUMN original_path TEXT NOT NULL DEFAULT '';
  `,
  `ALTER TABLE shares ADD COLUMN visits INTEGER NOT NULL DEFAULT 0;`,
  `
  CREATE TABLE invitations (
    user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL UNIQUE,
    expires_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER invitation_ends AFTER UPDATE OF password_hash ON users
    WHEN OLD.password_hash <> NEW.password_hash
    BEGIN DELETE FROM invitations WHERE user_id = NEW.id; END;

  CREATE TABLE personal (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE INDEX journal_by_undone ON journal (undo_of) WHERE undo_of <> 0;
  ALTER TABLE jobs ADD COLUMN source TEXT NOT NULL DEFAULT '';
  `,
  `
  ALTER TABLE shares ADD COLUMN message TEXT NOT NULL DEFAULT '';
  ALTER TABLE shares ADD COLUMN shows_owner INTEGER NOT NULL DEFAULT 0;
  `,
  `ALTER TABLE journal_steps ADD COLUMN complete_ms INTEGER NOT NULL DEFAULT 0;`,
  `
  ALTER TABLE jobs ADD COLUMN fault TEXT NOT NULL DEFAULT '';
  ALTER TABLE job_items ADD COLUMN failed_path TEXT NOT NULL DEFAULT '';
  `,
  `ALTER TABLE audit ADD COLUMN fault TEXT NOT NULL DEFAULT '';`,
  `
  ALTER TABLE kept ADD COLUMN deleted_with INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX kept_by_deletion ON kept (deleted_with) WHERE deleted_with <> 0;
  -- A version belongs to the first item that was deleted at its path, or above it, after the version was stored.
  UPDATE kept SET deleted_with = coalesce((
    WITH RECURSIVE above (path) AS (
      SELECT kept.path
      UNION ALL
      SELECT rtrim(rtrim(path, replace(path, '/', '')), '/') FROM above WHERE path <> ''
    )
    SELECT min(item.id) FROM above CROSS JOIN kept AS item
    WHERE item.root = kept.root AND item.role = 'trash' AND item.path = above.path AND item.id > kept.id
  ), 0) WHERE role = 'version';
  `,
  `
  ALTER TABLE uploads ADD COLUMN session TEXT NOT NULL DEFAULT '';
  ALTER TABLE uploads ADD COLUMN published TEXT NOT NULL DEFAULT '';
  ALTER TABLE job_items ADD COLUMN source_version TEXT NOT NULL DEFAULT '';
  `,
  `
  ALTER TABLE journal_steps ADD COLUMN parent TEXT NOT NULL DEFAULT '';
  ALTER TABLE journal_steps ADD COLUMN target_parent TEXT NOT NULL DEFAULT '';
  ALTER TABLE journal ADD COLUMN scope TEXT NOT NULL DEFAULT '';
  `,
  `
  ALTER TABLE kept ADD COLUMN disk_bytes INTEGER NOT NULL DEFAULT -1;
  ALTER TABLE kept ADD COLUMN is_recorded INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX kept_unrecorded ON kept (root, id) WHERE is_recorded = 0;
  DROP INDEX kept_by_trash;
  CREATE INDEX kept_by_trash ON kept (root, substr(name, 26), id, disk_bytes, user_id, at_ms);
  DROP INDEX kept_unmeasured;
  CREATE INDEX kept_unmeasured ON kept (root) WHERE disk_bytes < 0;
  CREATE TABLE roots (path TEXT PRIMARY KEY, identity TEXT NOT NULL UNIQUE) STRICT;
  CREATE INDEX kept_shared ON kept (root) WHERE disk_bytes = 0 AND size_bytes > 0;
  `,
  `
  ALTER TABLE shares ADD COLUMN lost_ms INTEGER NOT NULL DEFAULT 0;
  -- What a share is of is looked at again: until now, only folders behind links had it, without their time of creation.
  UPDATE shares SET target = '';
  ALTER TABLE roots ADD COLUMN object TEXT NOT NULL DEFAULT '';
  `,
  `
  ALTER TABLE uploads ADD COLUMN holder TEXT NOT NULL DEFAULT '';
  ALTER TABLE uploads ADD COLUMN is_asked INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE ended_uploads (root TEXT NOT NULL, id TEXT NOT NULL) STRICT;
  CREATE TRIGGER uploads_ended AFTER DELETE ON uploads WHEN OLD.handed_over = 0 BEGIN
    INSERT INTO ended_uploads (root, id) VALUES (OLD.root, OLD.id);
  END;
  `,
  `
  DROP INDEX journal_steps_by_path; DROP INDEX journal_steps_by_target;
  CREATE INDEX journal_steps_by_path ON journal_steps (path, after);
  CREATE INDEX journal_steps_by_target ON journal_steps (target, after) WHERE target <> '';
  `,
  `
  CREATE TABLE failures (key TEXT PRIMARY KEY, count INTEGER NOT NULL, counted_ms INTEGER NOT NULL,
    blocked_until_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, waits INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- Who brought removed content in (BROUGHT_BY): 1 is not known.
  ALTER TABLE kept ADD COLUMN brought_by INTEGER NOT NULL DEFAULT 1;
  `,
  `
  CREATE TABLE app_passwords (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL UNIQUE,
    permissions TEXT NOT NULL,
    folder TEXT NOT NULL,
    target TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    is_paused INTEGER NOT NULL DEFAULT 0,
    used_ms INTEGER NOT NULL DEFAULT 0,
    address TEXT NOT NULL DEFAULT '',
    agent TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE INDEX app_passwords_by_user ON app_passwords (user_id);
  `,
  `
  -- For the removal that an entry returned, wherever it was (rows/brought-in.ts).
  CREATE INDEX journal_steps_by_removed ON journal_steps (before, entry) WHERE kind IN ('removed', 'replaced');
  `,
  `
  CREATE TABLE second_factors (
    user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret TEXT NOT NULL DEFAULT '',
    since_ms INTEGER NOT NULL DEFAULT 0,
    -- The last time step whose code was accepted (RFC 6238).
    last_step INTEGER NOT NULL DEFAULT 0,
    draft TEXT NOT NULL DEFAULT '',
    draft_ms INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE recovery_codes (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL,
    PRIMARY KEY (user_id, code_hash)
  ) STRICT, WITHOUT ROWID;
  -- When the user last gave the password and the second factor; 0: not in this session.
  ALTER TABLE sessions ADD COLUMN verified_ms INTEGER NOT NULL DEFAULT 0;
  `,
  `
  ALTER TABLE users ADD COLUMN signed_in_ms INTEGER NOT NULL DEFAULT 0;
  UPDATE users SET signed_in_ms =
    coalesce((SELECT max(created_ms) FROM sessions WHERE user_id = users.id), 0);
  `,
  `
  CREATE TABLE passkeys (
    -- The credential id (WebAuthn), in base64url.
    id TEXT PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- What authenticators know the user by: random, the same for all passkeys of a user.
    handle TEXT NOT NULL,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    rp_id TEXT NOT NULL,
    transports TEXT NOT NULL,
    is_synced INTEGER NOT NULL,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    used_ms INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX passkeys_by_user ON passkeys (user_id, created_ms);
  -- Challenges that were used, until they end by themselves.
  CREATE TABLE used_challenges (id TEXT PRIMARY KEY, expires_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- OpenID Connect providers, and the accounts there that users sign in with. A deleted user leaves the identity without
  -- a user, so that the same account at the provider does not make a new user.
  CREATE TABLE providers (
    id TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    issuer TEXT NOT NULL,
    client_id TEXT NOT NULL,
    client_secret TEXT NOT NULL,
    options TEXT NOT NULL,
    is_enabled INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE identities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    label TEXT NOT NULL,
    -- The groups that the provider last sent, as JSON; empty: it has not sent any yet.
    groups TEXT NOT NULL DEFAULT '',
    linked_ms INTEGER NOT NULL,
    used_ms INTEGER NOT NULL DEFAULT 0,
    UNIQUE (issuer, subject)
  ) STRICT;
  CREATE INDEX identities_by_user ON identities (user_id);
  CREATE TABLE sign_in_flows (
    id TEXT PRIMARY KEY,
    state_hash TEXT NOT NULL,
    cookie_hash TEXT NOT NULL,
    provider TEXT NOT NULL,
    purpose TEXT NOT NULL,
    network TEXT NOT NULL,
    nonce TEXT NOT NULL,
    verifier TEXT NOT NULL,
    return_to TEXT NOT NULL,
    status TEXT NOT NULL,
    answer TEXT NOT NULL DEFAULT '',
    expires_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE logout_tokens_seen (
    token_hash TEXT PRIMARY KEY,
    expires_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- The identity that a session was opened with; 0: with another method. The ID token is for the log-out at the provider.
  ALTER TABLE sessions ADD COLUMN identity_id INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN provider_sid TEXT NOT NULL DEFAULT '';
  ALTER TABLE sessions ADD COLUMN id_token TEXT NOT NULL DEFAULT '';
  `,
  `
  -- Directories (LDAP) whose users can sign in. Their accounts are in identities, with the issuer 'ldap:' and the id.
  CREATE TABLE directories (
    id TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    bind_password TEXT NOT NULL,
    options TEXT NOT NULL,
    is_enabled INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- The program that an app password is for, as its user has named it.
  ALTER TABLE app_passwords ADD COLUMN application TEXT NOT NULL DEFAULT '';
  `,
  `
  -- The record of a user is read in the order of its times.
  DROP INDEX audit_by_user;
  CREATE INDEX audit_by_user ON audit (user_id, at_ms);
  `,
]

/**
 * How many of the steps a program must know to use the tables as they are after all of them. It increases when a step
 * removes or changes what earlier programs use.
 */
export const NEEDED_STEPS = 39
