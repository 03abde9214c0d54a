/** Two at once, in an order that each test decides: nothing that was answered is lost. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openFolder } from '#server/storage/handle.ts'
import { LocalStorage } from '#server/storage/local.ts'
import { PrivateFolder } from '#server/storage/private-folder.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { temporaryFolder } from '../../support/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let storage: LocalStorage
beforeEach(async () => {
  folder = temporaryFolder()
  storage = await LocalStorage.open(folder.path, {
    fileMode: 0o640,
    folderMode: 0o750,
    own: { files: [], folders: [] },
  })
})
afterEach(() => {
  storage.close()
  folder.remove()
})

const disk = (name: string) => join(folder.path, name)
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error) => (error instanceof Fault ? error.code : error),
  )

test('a name that somebody takes while a thing is moved there stays theirs', async () => {
  writeFileSync(disk('ours'), 'ours')
  for (const verb of ['move', 'copy'] as const) {
    const work = storage[verb](parsePath('/ours'), parsePath('/name'), {
      overwrite: true,
      accept: () => writeFileSync(disk('name'), 'theirs'),
    })
    expect(await code(work)).toBe('conflict')
    expect(readFileSync(disk('name'), 'utf8')).toBe('theirs')
    expect(readFileSync(disk('ours'), 'utf8')).toBe('ours')
  }
})

test.each([
  ['removed', () => storage.remove(parsePath('/folder'))],
  [
    'moved, to where the writer may see nothing,',
    () => storage.move(parsePath('/folder'), parsePath('/closed'), { overwrite: false }),
  ],
] as const)('what is written into a folder that is %s meanwhile is nowhere', async (_, away) => {
  mkdirSync(disk('folder'))
  const gate = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      arrived.resolve()
      await gate.promise
      controller.enqueue(new TextEncoder().encode('late'))
      controller.close()
    },
  })
  const writing = code(storage.write(parsePath('/folder/late'), body, { overwrite: false }))
  await arrived.promise
  await away()
  gate.resolve()
  expect(await writing).toBe('notFound')
  for (const name of ['folder/late', 'closed/late']) expect(existsSync(disk(name))).toBe(false)
})

test('a folder that holds the private folder of another server is not removed', async () => {
  mkdirSync(disk('outer/served/.filemgr/uploads'), { recursive: true })
  writeFileSync(disk('outer/served/kept'), '')
  expect(await code(storage.remove(parsePath('/outer')))).toBe('forbidden')
  expect(readdirSync(disk('outer/served')).sort()).toEqual(['.filemgr', 'kept'])
  const inner = parsePath('/outer/served/.filemgr')
  expect(await code(storage.stat(inner))).toBe('forbidden')
  expect(await code(storage.within(inner).stat(ROOT))).toBe('forbidden')
  const nodes = await storage.list(parsePath('/outer/served'))
  expect(nodes.map(({ path }) => path)).toEqual([parsePath('/outer/served/kept')])
})

test('nothing is taken out of a folder that is itself out of sight by now', async () => {
  const verbs = {
    remove: () => storage.remove(parsePath('/outer/inner')),
    merge: () => storage.move(parsePath('/outer/inner'), parsePath('/target'), { overwrite: true }),
    copy: () => storage.copy(parsePath('/outer/inner'), parsePath('/copy'), { overwrite: false }),
  }
  const names = Array.from({ length: 120 }, (_, number) => `file-${number}`).sort()
  for (const [verb, run] of Object.entries(verbs)) {
    mkdirSync(disk('outer/inner'), { recursive: true })
    mkdirSync(disk('target'), { recursive: true })
    for (const name of names) writeFileSync(disk(`outer/inner/${name}`), '')
    const work = run()
    // Each verb looks at the whole first, and lets others go on meanwhile.
    const hidden = disk(`.filemgr/work/${verb}`)
    renameSync(disk('outer'), hidden)
    expect([verb, await code(work)]).toEqual([verb, verb === 'copy' ? 'conflict' : 'notFound'])
    expect(readdirSync(join(hidden, 'inner')).sort()).toEqual(names)
    expect(readdirSync(folder.path).sort()).toEqual(['.filemgr', 'target'])
    rmSync(hidden, { recursive: true })
  }
})

test('what is set aside goes back among what people see, never into a private folder', async () => {
  using home = openFolder(folder.path)
  const privateFolder = PrivateFolder.open(home)
  if (!privateFolder) throw new Error('no private folder')
  mkdirSync(disk('outer/inner'), { recursive: true })
  using outer = openFolder(disk('outer'))
  const inner = { parent: outer, name: 'inner' }
  {
    using aside = privateFolder.setAside(inner)
    // As an earlier release wrote it down.
    writeFileSync(aside.parent.at('origin'), '.filemgr/work/gone/thing/inner')
    aside.putBack()
  }
  expect(readdirSync(folder.path).sort()).toEqual(['.filemgr', 'inner', 'outer'])
  privateFolder.close()
})
