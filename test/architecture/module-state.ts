/** State at the top level of the server's modules. The whole process shares it, which is seldom intended. */
import { lineOf, type Source } from './sources.ts'

/** Values that never change, or whose changes no caller sees. */
const CONSTANT =
  /new (?:TextEncoder|TextDecoder|RegExp|Error|Fault|Intl\.\w+|AsyncLocalStorage|Ranks)\b|new Uint8Array\(1\)/
/** A table with a type that allows no changes. */
const READ_ONLY = /^(?:export )?const \w+: Readonly/

const STATE =
  /^(?:export )?(?:let \w+.*|const \w+(?:: .+?)? = (?:await )?(?:new \w[^\n]*|\[\]|\{\})$)/gm

/** State that is intended, as `path: name`, with the reason. */
const INTENDED: Record<string, string> = {
  'server/limits/gauges.ts: readers': 'the gauges of the process, which its metrics read',
  'server/access/path-filter.ts: filters':
    'a cache: a user makes many requests with the same rules',
  'server/accounts/credentials/passwords.ts: comparisons':
    'hashes use the memory and the cores of the process',
  'server/accounts/directory/directory-people.ts: running': 'limits the connections of the process',
  'server/accounts/sign-in/sign-in-hook.ts: running': 'limits the programs of the process',
  'server/archives/codecs/libbzip2.ts: loading':
    'the codec is loaded once, when it is first needed',
  'server/archives/codecs/codec-workers.ts: streams':
    'streams that share the threads of the process',
  'server/archives/codecs/codec-workers.ts: pool': 'threads of the process',
  'server/files/previews/thumbnails.ts: loading':
    'the native addon is loaded once, when it is first needed',
  'server/os/open-databases.ts: paths':
    'locks on files belong to the process, and end for all of it',
  'server/http/request/hosts.ts: latest': 'a cache: most requests name the same host',
  'server/http/context/request-url.ts: latest':
    'a cache: the URL of one request is parsed several times',
  'server/os/mount-id.ts: stats': 'the memory that one system call fills, by one call at a time',
  'server/os/open-beneath.ts: openHow':
    'an argument of a system call, which ends before the next one',
  'server/os/cached-bytes.ts: vector':
    'an argument of a system call, which ends before the next one',
  'server/os/group-of-folder.ts: numbers': 'mounts of the machine',
  'server/os/group-of-folder.ts: readAtMs': 'when they were read',
  'server/storage/local/changes/folder-mark.ts: keepsNumbersByDevice':
    'a cache: the type of a file system, which network file systems would ask their server for',
  'server/storage/local/read/read-folder.ts: buffer':
    'filled by a system call, and read before the next one',
  'server/storage/local/read/read-folder.ts: entries': 'a view of `buffer`',
  'server/storage/local/read/read-folder.ts: stats':
    'filled by a system call, and read before the next one',
  'server/wire/api/rules.ts: compiled': 'a cache of compiled expressions',
}

/** @returns each state at the top level of a server module, as `path:line: name`, except for intended state */
export function stateIn({ path, code }: Source): string[] {
  // A worker has a thread of its own, so its state is not shared.
  if (!path.startsWith('server/') || path.endsWith('-worker.ts')) return []
  return [...code.matchAll(STATE)]
    .filter(([text]) => !CONSTANT.test(text) && !READ_ONLY.test(text))
    .map((match) => ({ name: nameIn(match[0]), line: lineOf(code, match.index) }))
    .filter(({ name }) => !(`${path}: ${name}` in INTENDED))
    .map(({ name, line }) => `${path}:${line}: ${name}`)
}

/** @returns the intended state that the code does not contain any more */
export function missingState(all: readonly Source[]): string[] {
  const found = all.flatMap(({ path, code }) =>
    [...code.matchAll(STATE)].map(([text]) => `${path}: ${nameIn(text)}`),
  )
  return Object.keys(INTENDED).filter((name) => !found.includes(name))
}

function nameIn(declaration: string): string {
  return /(?:let|const) (\w+)/.exec(declaration)?.[1] ?? ''
}
