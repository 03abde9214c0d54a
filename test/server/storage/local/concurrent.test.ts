/** Concurrent changes, in an order that each test controls: no confirmed change is lost. */
import { expect, test } from 'bun:test'
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
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { PrivateFolder } from '#server/storage/local/private/private-folder.ts'
import { Processes } from '#server/storage/local/private/processes.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { code, STORAGE_OPTIONS, serveForEach } from '../../../support/storage/served.ts'

const served = serveForEach()
const { disk } = served

test('a name that another writer takes during a move or copy keeps the file of that writer', async () => {
  writeFileSync(disk('ours'), 'ours')
  for (const operation of ['move', 'copy'] as const) {
    const work = served.storage[operation](parsePath('/ours'), parsePath('/name'), {
      overwrite: true,
      accept: () => writeFileSync(disk('name'), 'theirs'),
    })
    expect(await code(work)).toBe('conflict')
    expect(readFileSync(disk('name'), 'utf8')).toBe('theirs')
    expect(readFileSync(disk('ours'), 'utf8')).toBe('ours')
  }
})

test.each([
  ['removed', () => served.storage.remove(parsePath('/folder'))],
  [
    'moved',
    () => served.storage.move(parsePath('/folder'), parsePath('/closed'), { overwrite: false }),
  ],
] as const)(
  'a write into a folder that is %s before the write ends fails and leaves no file',
  async (_, away) => {
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
    const writing = code(
      served.storage.write(parsePath('/folder/late'), body, { overwrite: false }),
    )
    await arrived.promise
    await away()
    gate.resolve()
    expect(await writing).toBe('notFound')
    for (const name of ['folder/late', 'closed/late']) expect(existsSync(disk(name))).toBe(false)
  },
)

test('a folder that another server serves is not removed until that server ends', async () => {
  mkdirSync(disk('outer/served'), { recursive: true })
  const other = await LocalStorage.open(disk('outer/served'), STORAGE_OPTIONS)
  writeFileSync(disk('outer/served/kept'), '')
  expect(await code(served.storage.remove(parsePath('/outer')))).toBe('forbidden')
  expect(readdirSync(disk('outer/served')).sort()).toEqual(['.filemgr', 'kept'])
  const inner = parsePath('/outer/served/.filemgr')
  expect(await code(served.storage.stat(inner))).toBe('forbidden')
  expect(await code(served.storage.within(inner).stat(ROOT))).toBe('forbidden')
  const nodes = [...(await served.storage.list(parsePath('/outer/served')))]
  expect(nodes.map(({ path }) => path)).toEqual([parsePath('/outer/served/kept')])
  other.close()
  expect(await code(served.storage.remove(parsePath('/outer')))).toBe('no fault')
  expect(readdirSync(served.path)).toEqual(['.filemgr'])
})

test('a removal from a folder that has been hidden is refused', async () => {
  const operations = {
    remove: () => served.storage.remove(parsePath('/outer/inner')),
    merge: () =>
      served.storage.move(parsePath('/outer/inner'), parsePath('/target'), { overwrite: true }),
    copy: () =>
      served.storage.copy(parsePath('/outer/inner'), parsePath('/copy'), { overwrite: false }),
  }
  const names = Array.from({ length: 120 }, (_, number) => `file-${number}`).sort()
  for (const [operation, run] of Object.entries(operations)) {
    mkdirSync(disk('outer/inner'), { recursive: true })
    mkdirSync(disk('target'), { recursive: true })
    for (const name of names) writeFileSync(disk(`outer/inner/${name}`), '')
    const work = run()
    // Each operation inspects the whole tree first; other requests are handled meanwhile.
    const hidden = disk(`.filemgr/work/${operation}`)
    renameSync(disk('outer'), hidden)
    expect([operation, await code(work)]).toEqual([
      operation,
      operation === 'copy' ? 'conflict' : 'notFound',
    ])
    expect(readdirSync(join(hidden, 'inner')).sort()).toEqual(names)
    expect(readdirSync(served.path).sort()).toEqual(['.filemgr', 'target'])
    rmSync(hidden, { recursive: true })
  }
})

test('a hidden item is restored only to a visible folder, never into a private one', async () => {
  using home = openFolder(served.path)
  const privateFolder = PrivateFolder.open(home, new Processes())
  if (!privateFolder) throw new Error('no private folder')
  mkdirSync(disk('outer/inner'), { recursive: true })
  using outer = openFolder(disk('outer'))
  const inner = { parent: outer, name: 'inner' }
  {
    using aside = privateFolder.setAside(inner)
    // The record of an earlier release.
    writeFileSync(aside.parent.at('origin'), '.filemgr/work/gone/thing/inner')
    aside.putBack()
  }
  expect(readdirSync(served.path).sort()).toEqual(['.filemgr', 'inner', 'outer'])
  privateFolder.close()
})
