/**
 * The steps of a start in milliseconds, the memory of an idle server, and the parts of the executable in MiB. Each row of
 * the start does all that the row before it does, and more; the last column is the difference. The budgets are ratios:
 * the start of a server to that of an empty program, and the start with an index to one without.
 */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INDEX_AGE_HEADER } from '#server/files/search/search-hit.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { filemgr, REPO_ROOT } from '../support/server/executable.ts'
import { residentMibOf } from '../support/server/process.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { mediansOf, runToEnd, timed } from './measure.ts'
import { createFiles } from './names.ts'
import { report } from './report.ts'
import { type Cell, writeTable } from './table.ts'

const NAMES = 1_000_000
const PER_FOLDER = 1000
const MIB = 2 ** 20

const folder = temporaryFolder()
try {
  const empty = await compileEmptyProgram(join(folder.path, 'empty'))
  await measureStart(empty)
  writeComposition(empty)
} finally {
  folder.remove()
}

async function measureStart(empty: string): Promise<void> {
  const [program] = filemgr()
  const small = { root: join(folder.path, 'small'), database: join(folder.path, 'small.db') }
  const large = { root: join(folder.path, 'large'), database: join(folder.path, 'large.db') }
  mkdirSync(small.root)
  createFiles(NAMES, (number) => join(large.root, `${Math.floor(number / PER_FOLDER)}`))
  await waitForIndex(small)
  await waitForIndex(large)
  const { runtime, commands, modules, server, index } = await mediansOf({
    runtime: () => timed(() => runToEnd(empty)),
    commands: () => timed(() => runToEnd(program, 'version')),
    modules: () => timed(() => runToEnd(program, 'serve', '--help')),
    server: () => startMs(small),
    index: () => startMs(large),
  })
  writeTable(
    'Start, in ms until the step has ended',
    ['step', 'ms', 'this step alone'],
    [
      ['an empty program in the runtime', runtime, runtime],
      ['the command line: `version`', commands, commands - runtime],
      ['the modules of the server: `serve --help`', modules, modules - commands],
      ['database, settings and port, until the first response', server, server - modules],
      ['the same with an index of a million names', index, index - server],
    ],
  )
  writeTable(
    'Memory when idle, in MiB',
    ['server', 'MiB'],
    [
      ['without files', await idleMib(small)],
      ['with an index of a million names', await idleMib(large)],
    ],
  )
  report('start, as ratios', budgets.start, {
    serverToEmpty: server / runtime,
    indexToServer: index / server,
  })
}

/** A served folder and its database, which remain between starts. */
interface Installation {
  root: string
  database: string
}

/** Milliseconds from the start of a server to its first response. */
async function startMs(installation: Installation): Promise<number> {
  const startedAt = performance.now()
  const server = await startServer(installation)
  try {
    const response = await fetch(`${server.url}${API.health}`)
    if (!response.ok) throw new Error(`The server responds with ${response.status}.`)
    return performance.now() - startedAt
  } finally {
    await server.stop()
  }
}

/** Starts a new installation, waits until its index is built, and stops it, which saves the index. */
async function waitForIndex(installation: Installation): Promise<void> {
  const server = await startServer(installation)
  try {
    const admin = await signIn(server.url, 'admin', server.password)
    const find = async () => {
      const response = await admin.call('GET', `${API.search}/?query=${NAMES - 1}`)
      if (!response.ok) throw new Error(`A search responds with ${response.status}.`)
      await response.text()
      return response
    }
    while ((await find()).headers.get(INDEX_AGE_HEADER) === null);
  } finally {
    await server.stop()
  }
}

/** The resident memory of a server five seconds after its first response, without other requests. */
async function idleMib(installation: Installation): Promise<number> {
  const server = await startServer(installation)
  try {
    await fetch(`${server.url}${API.health}`)
    await Bun.sleep(5000)
    return residentMibOf(server.pid)
  } finally {
    await server.stop()
  }
}

/** Writes the sizes of the parts of the executable. The rest is code, with its bytecode and source maps. */
function writeComposition(empty: string): void {
  const [program] = filemgr()
  // sharp publishes its addons and libvips as packages with the prefix @img.
  const nativeLibraries = join(REPO_ROOT, 'node_modules/@img')
  const parts: Record<string, number> = {
    'the runtime': statSync(empty).size,
    'the interface, with compressed copies': bytesBelow(join(REPO_ROOT, 'dist/embed')),
    'libvips and sharp': bytesBelow(nativeLibraries, /\.(?:node|so[.\d]*)$/),
  }
  const total = statSync(program).size
  const known = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
  const rows: Cell[][] = Object.entries(parts).map(([name, bytes]) => [name, bytes / MIB])
  writeTable(
    'The executable, in MiB',
    ['part', 'MiB'],
    [...rows, ['code of filemgr and its libraries', (total - known) / MIB], ['all', total / MIB]],
  )
}

/** The total size of the files below a folder whose names match. */
function bytesBelow(path: string, name = /./): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && name.test(file.name))
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}

/** @returns the path of an executable that does nothing, compiled as filemgr is */
async function compileEmptyProgram(path: string): Promise<string> {
  const source = `${path}.ts`
  writeFileSync(source, 'export {}\n')
  await Bun.build({
    entrypoints: [source],
    bytecode: true,
    format: 'esm',
    compile: { outfile: path },
  })
  return path
}
