/** The nodes of a folder, which are made on access. */
import { expect, test } from 'bun:test'
import { FolderNodes } from '#server/storage/folder-nodes.ts'
import { parsePath } from '#wire/paths.ts'
import { MemoryStorage } from '../../support/memory-storage.ts'

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
