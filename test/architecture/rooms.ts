/**
 * The rooms of the house and what each may import. The same table stands in ARCHITECTURE.md, word
 * for word. Complete: what is not listed is trespass.
 *
 * Rooms are named from their own half: `lib` in a row of `ui/…` is `ui/lib`. `wire` is
 * `server/wire` everywhere. `(types)` after a name lets nothing but types through.
 */
export interface Room {
  room: string
  purpose: string
  rooms: string
  packages: string
}

export const ROOMS: Room[] = [
  { room: 'server/wire', purpose: 'what travels', rooms: '', packages: 'zod, re2js' },
  { room: 'server/version.ts', purpose: 'which build this is', rooms: '', packages: '' },
  { room: 'server/slices.ts', purpose: 'long work in slices', rooms: '', packages: '' },
  {
    room: 'server/contents.ts',
    purpose: 'what the executable carries',
    rooms: 'version.ts, files, web',
    packages: '',
  },
  {
    room: 'server/config',
    purpose: 'decided before start',
    rooms: 'wire',
    packages: 'smol-toml, yaml, node:fs, node:path, node:os',
  },
  {
    room: 'server/storage',
    purpose: 'bytes and names',
    rooms: 'wire, slices.ts',
    packages: 'node:fs, node:path, node:stream, node:crypto, node:util, bun:ffi',
  },
  { room: 'server/db', purpose: 'rows', rooms: 'wire', packages: 'bun:sqlite' },
  {
    room: 'server/access',
    purpose: 'who may, and how much at a time',
    rooms: 'wire, slices.ts, storage (types)',
    packages: 'node:net',
  },
  { room: 'server/settings', purpose: 'live settings', rooms: 'wire, config, db', packages: '' },
  {
    room: 'server/accounts',
    purpose: 'people',
    rooms: 'wire, config, db, access, settings',
    packages: 'jose, node:crypto, @zxcvbn-ts/language-common',
  },
  { room: 'server/audit', purpose: 'who did what', rooms: 'wire, db', packages: '' },
  {
    room: 'server/shares',
    purpose: 'public links',
    rooms: 'wire, db, access, storage (types)',
    packages: 'node:crypto',
  },
  {
    room: 'server/files',
    purpose: 'work on files',
    rooms: 'wire, slices.ts, access, db, storage (types)',
    packages:
      '@napi-rs/lzma, libbzip2-wasm, lz4-napi, snappy, sharp, @tus/server, @tus/file-store, node:fs, node:path, node:os, node:stream, node:zlib, node:crypto, node:async_hooks',
  },
  {
    room: 'server/shell',
    purpose: 'commands and hooks',
    rooms: 'wire, access, storage (types)',
    packages: 'zod, node:fs, node:path, node:os, bun:ffi',
  },
  {
    room: 'server/web',
    purpose: 'the embedded UI',
    rooms: 'wire, settings',
    packages: 'node:fs, node:path',
  },
  {
    room: 'server/http',
    purpose: 'HTTP words',
    rooms:
      'wire, version.ts, slices.ts, storage (types), db (types), access, settings, accounts, audit, shares, files, shell, web, app.ts',
    packages: 'hono, zod, node:crypto, node:fs, node:net',
  },
  {
    room: 'server/office.ts',
    purpose: 'people and settings, served or not',
    rooms: 'wire, config, db, settings, accounts, shares',
    packages: 'node:fs, node:path, node:crypto',
  },
  {
    room: 'server/app.ts',
    purpose: 'composition root',
    rooms:
      'wire, version.ts, config, storage, db, access, settings, accounts, audit, shares, files, shell, office.ts',
    packages: 'node:fs, node:path',
  },
  {
    room: 'server/server.ts',
    purpose: 'the listener',
    rooms: 'wire, config, app.ts, http',
    packages: 'node:fs',
  },
  {
    room: 'cli/attack',
    purpose: 'attacks to be repelled',
    rooms: 'wire',
    packages: 'node:child_process, node:fs, node:net, node:os, node:path, node:zlib',
  },
  {
    room: 'cli',
    purpose: 'the operator’s door',
    rooms:
      'wire, cli/attack, server/contents.ts, server/config, server/settings, server/accounts, server/files, server/shell, server/office.ts, server/app.ts, server/server.ts',
    packages: 'commander, node:readline, node:fs, node:os, node:path',
  },
  { room: 'ui/lib', purpose: 'pure helpers', rooms: 'wire', packages: '' },
  { room: 'ui/i18n', purpose: 'languages', rooms: 'wire, lib', packages: 'i18next, react-i18next' },
  { room: 'ui/api', purpose: 'calls', rooms: 'wire, lib', packages: '' },
  { room: 'ui/state', purpose: 'documents', rooms: 'wire, lib, i18n, api', packages: 'valtio' },
  {
    room: 'ui/uploads',
    purpose: 'moving numbers',
    rooms: 'wire, lib, api, state',
    packages: '@preact/signals-react, tus-js-client',
  },
  {
    room: 'ui/actions',
    purpose: 'what one can do',
    rooms: 'wire, lib, i18n, api, state, uploads',
    packages: '',
  },
  {
    room: 'ui/components',
    purpose: 'dumb parts',
    rooms: 'wire (types), lib, i18n',
    packages: 'react, react-dom, wouter, qrcode.react',
  },
  {
    room: 'ui/features',
    purpose: 'what one sees',
    rooms: 'wire, lib, i18n, state, uploads, actions, components',
    packages:
      'react, valtio, wouter, @preact/signals-react, @codemirror/autocomplete, @codemirror/commands, @codemirror/language, @codemirror/language-data, @codemirror/search, @codemirror/state, @codemirror/view, @lezer/highlight, marked, temml, @fontsource/noto-sans-math, dompurify, papaparse, fflate, @xterm/xterm, @xterm/addon-fit',
  },
  {
    room: 'ui/pages',
    purpose: 'URL → features',
    rooms: 'wire, lib, i18n, state, actions, components, features',
    packages: 'react, valtio, wouter',
  },
  {
    room: 'ui/app',
    purpose: 'assembling',
    rooms: 'wire, lib, i18n, api, state, uploads, actions, components, features, pages',
    packages: 'react, react-dom, valtio, wouter',
  },
  {
    room: 'ui/worker',
    purpose: 'the page without its server',
    rooms: 'wire, lib',
    packages: '',
  },
  {
    room: 'ui/main.tsx',
    purpose: 'the first line',
    rooms: 'app, styles',
    packages: '',
  },
  { room: 'ui/styles', purpose: 'layers, tokens, base', rooms: '', packages: '' },
  {
    room: 'ui/vite.config.ts',
    purpose: 'how the UI is built',
    rooms: '',
    packages: 'vite, @vitejs/plugin-react',
  },
  {
    room: 'scripts',
    purpose: 'building',
    rooms: 'wire',
    packages: 'vite, sharp, node:fs, node:path, node:util, node:zlib',
  },
]

/** Packages with exactly one home while the server runs: replacing one is an act in one place. */
export const SINGLE_HOMES: Record<string, string> = {
  'bun:sqlite': 'server/db/',
  commander: 'cli/',
  jose: 'server/accounts/tokens.ts',
  sharp: 'server/files/thumbnails.ts',
  'tus-js-client': 'ui/uploads/',
}

/** The room a file belongs to: the longest name that its path begins with. */
export function roomOf(path: string): Room | undefined {
  return ROOMS.filter(({ room }) => path === room || path.startsWith(`${room}/`)).sort(
    (a, b) => b.room.length - a.room.length,
  )[0]
}

/** The rooms of a row by their full names, and whether only types may pass. */
export function allowedRooms({ room, rooms }: Room): Map<string, { typesOnly: boolean }> {
  const half = room.split('/')[0]
  return new Map(
    words(rooms).map((word) => {
      const name = word.replace(' (types)', '')
      const full = name === 'wire' ? 'server/wire' : name.includes('/') ? name : `${half}/${name}`
      return [full, { typesOnly: word !== name }]
    }),
  )
}

export function allowedPackages({ packages }: Room): Set<string> {
  return new Set(words(packages))
}

function words(cell: string): string[] {
  return cell === '' ? [] : cell.split(', ')
}
