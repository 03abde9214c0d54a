/** The nodes of a folder, which are made on access. */
import { expect, test } from 'bun:test'
import { FolderNodes } from '#server/storage/folder-nodes.ts'
import { namesInSteps, namesOf } from '#server/storage/local/read/folder-records.ts'
import { parsePath } from '#wire/paths.ts'
import { MemoryStorage } from '../../support/storage/memory-storage.ts'

async function nodesNamed(...names: string[]): Promise<FolderNodes> {
  const storage = new MemoryStorage()
  for (const name of names) {
    await storage.write(parsePath(`/${name}`), new Uint8Array(), { overwrite: false })
  }
  return storage.list(parsePath('/'))
}

test('a node and its name have the same index, also after a filter', async () => {
  const all = await nodesNamed('a', 'b', 'c', 'd')
  const some = await all.filter(({ path }) => path !== '/a' && path !== '/c')
  expect(some.length).toBe(2)
  expect([some.nameAt(0), some.nameAt(1)]).toEqual(['b', 'd'])
  expect([some.at(0).path, some.at(1).path].map(String)).toEqual(['/b', '/d'])
  const last = await some.filter(({ path }) => path === '/d')
  expect([...last].map(({ path }) => String(path))).toEqual(['/d'])
  expect(last.nameAt(0)).toBe('d')
})

test('a node is made only when it is read', async () => {
  let made = 0
  const [node] = await nodesNamed('a')
  if (!node) throw new Error('There is one file.')
  const names = Array.from({ length: 1000 }, (_, index) => `${index}`)
  const make = () => {
    made += 1
    return node
  }
  const nodes = new FolderNodes(names, make, [...names.keys()])
  expect(nodes.nameAt(999)).toBe('999')
  expect(made).toBe(0)
  expect(nodes.at(5)).toBe(node)
  expect(made).toBe(1)
})

test('names that are converted in steps are the same as all at once', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `näme ${index}`)
  for (const extra of [[], [Buffer.from('caf\xe9', 'latin1')]]) {
    const parts = [...names.map((name) => Buffer.from(name)), ...extra]
    const records = { names: Buffer.concat(parts.flatMap((part) => [part, Buffer.of(0)])) }
    const steps = namesInSteps(records)
    let step = steps.next()
    let count = 0
    for (; !step.done; step = steps.next()) count += 1
    expect(count).toBeGreaterThan(5)
    expect(step.value).toEqual(namesOf(records))
    expect(step.value.slice(0, names.length)).toEqual(names)
  }
  expect([...namesInSteps({ names: new Uint8Array() })]).toEqual([])
})
