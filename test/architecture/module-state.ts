/** What a module of the server keeps between calls: it is shared by everything in the process, and seldom meant. */
import { lineOf, type Source } from './sources.ts'

/** Values that never change, or change nothing that a caller sees. */
const CONSTANT =
  /new (?:TextEncoder|TextDecoder|RegExp|Error|Fault|Intl\.\w+|AsyncLocalStorage|Ranks)\b|new Uint8Array\(1\)/
/** A table that its type keeps from being changed. */
const READ_ONLY = /^(?:export )?const \w+: Readonly/

const STATE =
  /^(?:export )?(?:let \w+.*|const \w+(?:: .+?)? = (?:await )?(?:new \w[^\n]*|\[\]|\{\})$)/gm

/** The threads' own modules, and what is kept on purpose. */
const KEPT: Record<string, string> = {
  'server/access/gauges.ts: readers': 'what the metrics of the process read',
  'server/access/path-filter.ts: filters':
    'a cache: a user makes many requests with the same rules',
  'server/accounts/passwords.ts: semaphore': 'hashes fill the memory and the cores of the process',
  'server/accounts/sign-in-hook.ts: semaphore': 'programs that the process has started',
  'server/files/bzip2.ts: loading': 'the codec is loaded once, and late',
  'server/files/codec-workers.ts: streams': 'threads of the process, whose turn it is',
  'server/files/codec-workers.ts: waiting': 'threads of the process, and what waits for them',
  'server/files/codec-workers.ts: threads': 'threads of the process',
  'server/files/codec-workers.ts: served': 'threads of the process, counted',
  'server/files/thumbnails.ts: loading': 'the native addon is loaded once, and late',
  'server/http/hosts.ts: latest': 'a cache: most requests name the same host',
  'server/http/request-url.ts: latest': 'a cache: one request is looked at again and again',
  'server/os/open-beneath.ts: openHow': 'read by one system call, which ends first',
  'server/os/cached-bytes.ts: vector': 'read by one system call, which ends first',
  'server/storage/read-folder.ts: buffer': 'filled by one system call, and read before the next',
  'server/storage/read-folder.ts: entries': 'a view of it',
  'server/storage/read-folder.ts: stats': 'filled by one system call, and read before the next',
  'server/wire/rules.ts: compiled': 'a cache of patterns',
}

/** State at the top of a module of the server, as `path: name` with its line; nothing for what is kept on purpose. */
export function stateIn({ path, code }: Source): string[] {
  // A worker is its module: nothing else runs in its thread.
  if (!path.startsWith('server/') || path.endsWith('-worker.ts')) return []
  return [...code.matchAll(STATE)]
    .filter(([text]) => !CONSTANT.test(text) && !READ_ONLY.test(text))
    .map((match) => ({ name: nameIn(match[0]), line: lineOf(code, match.index) }))
    .filter(({ name }) => !(`${path}: ${name}` in KEPT))
    .map(({ name, line }) => `${path}:${line}: ${name}`)
}

/** What is kept on purpose and is not there any more. */
export function goneState(all: readonly Source[]): string[] {
  const found = all.flatMap(({ path, code }) =>
    [...code.matchAll(STATE)].map(([text]) => `${path}: ${nameIn(text)}`),
  )
  return Object.keys(KEPT).filter((name) => !found.includes(name))
}

function nameIn(declaration: string): string {
  return /(?:let|const) (\w+)/.exec(declaration)?.[1] ?? ''
}
