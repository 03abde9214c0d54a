/** The server's private folder and its other files, which no operation reaches. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'
import { code } from '../../../../support/storage/served.ts'
import { attribute, setAttribute } from '../../../../support/system/attributes.ts'

const NOBODY = 65534
const isRoot = process.getuid?.() === 0

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const disk = (name: string) => join(folder.path, name)
const open = (ownPaths: { files: string[]; folders: string[] } = { files: [], folders: [] }) =>
  LocalStorage.open(folder.path, { fileMode: 0o640, folderMode: 0o750, ownPaths })

/** Creates a hidden item with the record of its path, as a killed server leaves them. */
function aside(name: string, origin: string): string {
  const at = disk(`.filemgr/work/gone/aside-${name}`)
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'thing'), name)
  writeFileSync(join(at, 'origin'), origin)
  return at
}

test('the private folder has mode 0700, also if another program created it', async () => {
  mkdirSync(disk('.filemgr/work'), { recursive: true })
  for (const name of ['.filemgr', '.filemgr/work']) chmodSync(disk(name), 0o777)
  const storage = await open()
  for (const name of ['.filemgr', '.filemgr/work', '.filemgr/uploads']) {
    expect(statSync(disk(name)).mode & 0o777).toBe(0o700)
  }
  storage.close()
})

test('the name of the private folder is reserved in any case of its letters, and a copy leaves such a folder out', async () => {
  const storage = await open()
  mkdirSync(disk('outer/.FileMgr/uploads'), { recursive: true })
  mkdirSync(disk('outer/.filemgr'))
  writeFileSync(disk('outer/kept'), '')
  for (const name of ['.FileMgr', '.FILEMGR', '.filemgr']) {
    expect(await code(storage.mkdir(parsePath(`/${name}`)))).toBe('forbidden')
    const inside = parsePath(`/outer/${name}/new`)
    expect(await code(storage.stat(parsePath(`/outer/${name}`)))).toBe('forbidden')
    expect(await code(storage.mkdir(inside))).toBe('forbidden')
    expect(await code(storage.write(inside, new Uint8Array(1), { overwrite: false }))).toBe(
      'forbidden',
    )
    const reserved = parsePath(`/outer/${name}`)
    expect(await code(storage.remove(reserved))).toBe('forbidden')
    const options = { overwrite: false }
    expect(await code(storage.move(parsePath('/outer/kept'), inside, options))).toBe('forbidden')
    expect(await code(storage.move(reserved, parsePath('/away'), options))).toBe('forbidden')
  }
  symlinkSync('.filemgr', disk('outer/alias'))
  expect(await code(storage.stat(parsePath('/outer/alias')))).toBe('forbidden')
  const nodes = [...(await storage.list(parsePath('/outer')))]
  expect(nodes.map(({ path }) => String(path))).toEqual(['/outer/kept'])
  await storage.copy(parsePath('/outer'), parsePath('/copy'), { overwrite: false })
  expect(readdirSync(disk('copy'))).toEqual(['kept'])
  storage.close()
})

test('a record that is too long is not used', async () => {
  mkdirSync(disk('inside'))
  const real = aside('real', 'inside/back')
  const long = aside('long', `inside${'/'.repeat(5000)}long`)
  const storage = await open()
  expect(readFileSync(disk('inside/back'), 'utf8')).toBe('real')
  expect(existsSync(disk('inside/long'))).toBe(false)
  expect([real, long].map((at) => existsSync(join(at, 'thing')))).toEqual([false, true])
  storage.close()
})

test.skipIf(!isRoot)('a record that belongs to another system account is not used', async () => {
  const foreign = aside('foreign', 'back')
  chownSync(join(foreign, 'origin'), NOBODY, NOBODY)
  const storage = await open()
  expect(existsSync(disk('back'))).toBe(false)
  expect(existsSync(join(foreign, 'thing'))).toBe(true)
  storage.close()
})

test('no entry below a folder of the server is reached, at any depth', async () => {
  const deep = Array.from({ length: 12 }, (_, level) => `level${level}`).join('/')
  mkdirSync(disk(`cache/${deep}`), { recursive: true })
  writeFileSync(disk(`cache/${deep}/preview`), 'SECRET')
  const storage = await open({ files: [], folders: [disk('cache')] })
  for (const path of ['/cache', `/cache/${deep}`, `/cache/${deep}/preview`]) {
    expect(await code(storage.stat(parsePath(path)))).toBe('forbidden')
  }
  expect(await code(storage.within(parsePath(`/cache/${deep}`)).stat(parsePath('/')))).toBe(
    'forbidden',
  )
  const bytes = new Uint8Array(1)
  const write = storage.write(parsePath(`/cache/${deep}/new`), bytes, { overwrite: false })
  expect(await code(write)).toBe('forbidden')
  storage.close()
})

test('no command starts in a root folder that directly contains files of the server', async () => {
  mkdirSync(disk('below'))
  const storage = await open({ files: [disk('filemgr.db'), disk('below/log')], folders: [] })
  const path = async (path: string) => {
    const found = await storage.within(parsePath(path)).can.openForCommand?.(parsePath('/'))
    if (!found) throw new Error('no folder for commands')
    return found
  }
  expect(await code(path('/'))).toBe('forbidden')
  expect(await code(path('/below'))).toBe('forbidden')
  mkdirSync(disk('free'))
  using free = await path('/free')
  expect(free.hidden).toEqual([])
  storage.close()
})

test.skipIf(!isRoot)(
  'a copy has the user attributes of the original, but not the trusted ones',
  async () => {
    writeFileSync(disk('file'), 'x')
    setAttribute(disk('file'), 'trusted.note', 'private')
    setAttribute(disk('file'), 'user.note', 'kept')
    const storage = await open()
    await storage.copy(parsePath('/file'), parsePath('/copy'), { overwrite: false })
    expect(attribute(disk('copy'), 'user.note')).toBe('kept')
    expect(attribute(disk('copy'), 'trusted.note') || undefined).toBeUndefined()
    storage.close()
  },
)

test('a folder with a reserved name that no server uses is removed with its parent folder', async () => {
  const storage = await open()
  for (const inner of [
    '.filemgr',
    '.filemgr/work/gone/aside-1/thing',
    '.filemgr-0123456789abcdef01234567',
  ]) {
    mkdirSync(disk(`outer/${inner}`), { recursive: true })
    expect(await code(storage.stat(parsePath(`/outer/${inner.split('/')[0]}`)))).toBe('forbidden')
    expect(await code(storage.remove(parsePath('/outer')))).toBe('no fault')
    expect(readdirSync(folder.path)).toEqual(['.filemgr'])
  }
  mkdirSync(disk('outer/.filemgr-0123456789abcdef01234567m'), { recursive: true })
  expect(await code(storage.remove(parsePath('/outer')))).toBe('locked')
  mkdirSync(disk('.filemgr-notes'))
  expect(await code(storage.stat(parsePath('/.filemgr-notes')))).toBe('no fault')
  storage.close()
})
