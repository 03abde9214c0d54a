/**
 * The modules and what each may import: the import rules. `npm run modules` writes the list in
 * ARCHITECTURE.md from here. The list is complete: an import that is not listed is an error.
 *
 * A name without a folder is in the same top folder: `lib` in a row of `ui/…` is `ui/lib`. `wire`
 * is `server/wire` everywhere. `(types)` after a name allows imports of types only.
 */
export interface Module {
  /** A folder or a file, relative to the repository root. */
  module: string
  purpose: string
  /** What it may import: other modules. */
  modules: string
  /** What it may import: packages, and modules of Node and Bun. */
  packages: string
}

/** The rows of the table. Lists are separated by a comma and a space. */
export const MODULES: Module[] = [
  {
    module: 'server/wire',
    purpose: 'types, names and rules that server and interface share',
    modules: '',
    packages: 'zod, re2js, saxen, papaparse',
  },
  { module: 'server/version.ts', purpose: 'version and commit', modules: '', packages: '' },
  {
    module: 'server/lib',
    purpose: 'small functions of the server without state',
    modules: 'wire',
    packages: 'node:net',
  },
  {
    module: 'server/build-info.ts',
    purpose: 'what the executable contains, and its self-check',
    modules: 'version.ts, files, archives, web',
    packages: '',
  },
  {
    module: 'server/config',
    purpose: 'what the operator sets: options, configuration file, environment, flags',
    modules: 'wire, os',
    packages: 'smol-toml, yaml, node:fs, node:path, node:os',
  },
  {
    module: 'server/os',
    purpose: 'calls of the operating system that node:fs lacks',
    modules: 'wire',
    packages: 'node:fs, node:os, node:path, bun:ffi',
  },
  {
    module: 'server/flush',
    purpose: 'flushes to the disk, shared by all callers that wait for them',
    modules: 'wire, lib, os',
    packages: 'node:fs, node:util',
  },
  {
    module: 'server/storage',
    purpose: 'the interface to files and folders, for every kind of storage',
    modules: 'wire, lib',
    packages: 'node:fs',
  },
  {
    module: 'server/storage/local',
    purpose: 'a folder on a disk of this machine; only here is the served tree touched',
    modules: 'wire, lib, os, flush, storage',
    packages: 'bun:ffi, node:crypto, node:fs, node:path, node:util',
  },
  {
    module: 'server/storage/portable',
    purpose: 'a folder on a disk, by the calls that every system has',
    modules: 'wire, os, server/storage/local',
    packages: 'node:fs, node:path',
  },
  {
    module: 'server/db',
    purpose: 'schema and queries of SQLite and PostgreSQL; only here is SQL',
    modules: 'wire, os, lib',
    packages: 'bun, bun:sqlite, node:async_hooks, node:crypto, node:fs, node:path',
  },
  {
    module: 'server/cluster',
    purpose:
      'the processes that share one database: which of them does what, and what they tell each other',
    modules: 'wire, os, db, storage (types)',
    packages: '',
  },
  {
    module: 'server/limits',
    purpose: 'limits of concurrent work, fair between users',
    modules: 'wire',
    packages: '',
  },
  {
    module: 'server/access',
    purpose: 'rights, rules, and Scope, the only way to files',
    modules: 'wire, lib, storage (types)',
    packages: '',
  },
  {
    module: 'server/settings',
    purpose: 'what administrators change while the server runs',
    modules: 'wire, lib, config, db',
    packages: '',
  },
  {
    module: 'server/accounts',
    purpose: 'users, passwords, sessions, tokens',
    modules: 'wire, lib, config, db, limits, access, settings',
    packages:
      'jose, ldapts, openid-client, otpauth, @simplewebauthn/server, @zxcvbn-ts/language-common, node:crypto, node:net, node:tls',
  },
  {
    module: 'server/audit',
    purpose: 'the audit record: what users did',
    modules: 'lib, db',
    packages: '',
  },
  {
    module: 'server/journal',
    purpose: 'changes that can be undone, the trash, earlier versions',
    modules: 'wire, lib, db, access, storage (types), cluster (types)',
    packages: '',
  },
  {
    module: 'server/shares',
    purpose: 'public links to files and folders',
    modules: 'wire, lib, db, limits, access, storage (types)',
    packages: 'node:crypto',
  },
  {
    module: 'server/files',
    purpose: 'listing, search, uploads and previews of files',
    modules: 'wire, lib, os, access, db, storage (types), cluster, limits, archives',
    packages: 'sharp, node:fs, node:path, node:os, node:crypto',
  },
  {
    module: 'server/archives',
    purpose: 'reads and writes the formats of archives',
    modules: 'wire, lib, storage (types), access (types), files',
    packages:
      '@napi-rs/lzma, libbzip2-wasm, lz4-napi, node:crypto, node:os, node:stream, node:zlib, snappy',
  },
  {
    module: 'server/index',
    purpose: 'the index of names: search and sizes of folders without a walk',
    modules: 'wire, os, storage, server/storage/local, server/storage/portable, files',
    packages: 'node:fs, node:path, node:crypto',
  },
  {
    module: 'server/imports',
    purpose: 'files from other servers, fetched for jobs',
    modules: 'wire, storage (types)',
    packages: 'node:dns, node:net',
  },
  {
    module: 'server/jobs',
    purpose: 'long work on files, which continues after its request and after a restart',
    modules: 'wire, lib, db, access, files, storage (types), cluster (types), limits, archives',
    packages: 'node:crypto',
  },
  {
    module: 'server/shell',
    purpose: 'commands, terminals, event commands, the jail',
    modules: 'wire, lib, os, access, storage (types), limits',
    packages: 'zod, node:fs, node:path, node:os',
  },
  {
    module: 'server/web',
    purpose: 'the embedded interface',
    modules: 'wire',
    packages: 'node:fs, node:path',
  },
  {
    module: 'server/http',
    purpose: 'routes, headers, status codes',
    modules:
      'wire, version.ts, lib, storage (types), db (types), limits, access, settings, accounts, shares, files, archives, index (types), jobs (types), shell, web, app.ts',
    packages: 'hono, zod, node:crypto, node:fs, node:net, node:stream, node:util, node:zlib',
  },
  {
    module: 'server/core.ts',
    purpose: 'users, settings and shares without a server',
    modules: 'wire, os, config, flush, db, cluster, settings, accounts, shares',
    packages: 'node:fs, node:path, node:crypto',
  },
  {
    module: 'server/served-root.ts',
    purpose: 'whether the folder to serve is the one that was served before',
    modules: 'wire, server/storage/local, server/storage/portable, db (types)',
    packages: 'node:fs',
  },
  {
    module: 'server/shared-root.ts',
    purpose: 'whether several servers may serve the folder',
    modules: 'wire, server/storage/local, server/storage/portable, storage, cluster (types)',
    packages: '',
  },
  {
    module: 'server/tree.ts',
    purpose: 'the served folder, its journal and its trash',
    modules:
      'wire, lib, config, flush (types), server/storage/local, server/storage/portable, db (types), storage, cluster, access (types), journal, served-root.ts, shared-root.ts',
    packages: 'node:fs, node:path',
  },
  {
    module: 'server/takeover',
    purpose: 'import of a File Browser installation',
    modules: 'wire, os, config, settings, accounts, shares, core.ts',
    packages: 'node:fs, node:path',
  },
  {
    module: 'server/backup',
    purpose: 'backup, restore and copy of an installation',
    modules: 'wire, config, db, core.ts',
    packages: 'node:fs, node:os, node:path',
  },
  {
    module: 'server/isolation.ts',
    purpose: 'the isolation of programs that the server starts',
    modules: 'os, config, shell, tree.ts',
    packages: '',
  },
  {
    module: 'server/app.ts',
    purpose: 'opens every service once',
    modules:
      'wire, version.ts, config, storage, db, access, settings, accounts, audit, journal, shares, files, archives, index, imports, jobs, shell, cluster, core.ts, tree.ts, isolation.ts',
    packages: 'node:fs, node:path',
  },
  {
    module: 'server/listen',
    purpose: 'listening sockets and their connections',
    modules: 'wire, os',
    packages: 'bun:ffi, node:fs',
  },
  {
    module: 'server/server.ts',
    purpose: 'starts and stops the server',
    modules: 'wire, config, settings, app.ts, http, os, listen',
    packages: '',
  },
  {
    module: 'server/absent-server.ts',
    purpose: 'responds with the reason while the served folder is not there',
    modules: 'wire, config, listen, server.ts',
    packages: '',
  },
  {
    module: 'attacks',
    purpose: 'attacks that must fail, run by doctor and by tests',
    modules: 'wire',
    packages:
      'otpauth, node:child_process, node:crypto, node:fs, node:net, node:os, node:path, node:zlib',
  },
  {
    module: 'cli',
    purpose: 'the command line',
    modules:
      'wire, server/lib, attacks, server/build-info.ts, server/os, server/config, server/settings, server/accounts, server/files, server/shell, server/shares, server/core.ts, server/takeover, server/backup, server/isolation.ts, server/app.ts, server/tree.ts, server/served-root.ts, server/shared-root.ts, server/server.ts, server/absent-server.ts, server/journal',
    packages: 'commander, node:fs, node:os, node:path',
  },
  { module: 'ui/lib', purpose: 'functions without state', modules: 'wire', packages: '' },
  {
    module: 'ui/i18n',
    purpose: 'texts and languages',
    modules: 'wire, lib',
    packages: 'i18next, react',
  },
  { module: 'ui/api', purpose: 'requests to the server', modules: 'wire, lib', packages: '' },
  {
    module: 'ui/state',
    purpose: 'what the screens show and know',
    modules: 'wire, lib, i18n, api',
    packages: 'valtio',
  },
  {
    module: 'ui/uploads',
    purpose: 'the queue of uploads, and how they are sent',
    modules: 'wire, lib, api, state',
    packages: '@preact/signals-react, tus-js-client',
  },
  {
    module: 'ui/actions',
    purpose: 'the table of actions',
    modules: 'wire, lib, i18n, api, state, uploads',
    packages: '',
  },
  {
    module: 'ui/components',
    purpose: 'components without state',
    modules: 'wire (types), lib, i18n',
    packages: 'react, react-dom, wouter, qrcode.react',
  },
  {
    module: 'ui/features',
    purpose: 'what the screens are made of',
    modules: 'wire, lib, i18n, state, uploads, actions, components',
    packages:
      'react, valtio, wouter, @preact/signals-react, @codemirror/autocomplete, @codemirror/commands, @codemirror/language, @codemirror/language-data, @codemirror/search, @codemirror/state, @codemirror/view, @lezer/highlight, marked, temml, @fontsource/noto-sans-math, dompurify, fflate, @xterm/xterm, @xterm/addon-fit, pdfjs-dist, docx-preview',
  },
  {
    module: 'ui/pages',
    purpose: 'pages by address',
    modules: 'wire, lib, i18n, state, actions, components, features',
    packages: 'react, valtio, wouter',
  },
  {
    module: 'ui/app',
    purpose: 'router, overlays, start',
    modules: 'wire, lib, i18n, state, actions, components, features, pages',
    packages: 'react, react-dom, valtio, wouter',
  },
  { module: 'ui/worker', purpose: 'the service worker', modules: 'lib', packages: '' },
  {
    module: 'ui/main.tsx',
    purpose: 'entry of the interface',
    modules: 'app, styles',
    packages: '',
  },
  { module: 'ui/styles', purpose: 'style layers, design tokens', modules: '', packages: '' },
  {
    module: 'ui/vite.config.ts',
    purpose: 'build of the interface',
    modules: 'lib',
    packages: 'vite, @vitejs/plugin-react, node:fs',
  },
  {
    module: 'scripts',
    purpose: 'build, check, bench',
    modules: '',
    packages: 'vite, sharp, bun:sqlite, node:fs, node:os, node:path, node:util, node:zlib',
  },
]

/** Packages that only one folder or file may import, so that only its code changes when they are replaced. */
export const SINGLE_HOMES: Record<string, string> = {
  'bun:sqlite': 'server/db/',
  commander: 'cli/',
  jose: 'server/accounts/',
  ldapts: 'server/accounts/directory/',
  'openid-client': 'server/accounts/identity/',
  sharp: 'server/files/previews/thumbnails.ts',
  'tus-js-client': 'ui/uploads/',
}
