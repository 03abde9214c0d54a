/** A free name beside many taken ones. */
import { expect, test } from 'bun:test'
import { freePath } from '#server/files/free-name.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'

/** A folder with `x`, `x(1)` and so on; `asked` lists the paths that were checked. */
function folderOf(taken: number) {
  const nameOf = (number: number) => (number === 0 ? '/x' : `/x(${number})`)
  const names = new Set(Array.from({ length: taken }, (_, number) => nameOf(number)))
  const asked: string[] = []
  return {
    asked,
    stat: async (path: string): Promise<Node> => {
      asked.push(path)
      if (!names.has(path)) throw new Fault('notFound', 'It is not there.')
      return {} as Node
    },
  }
}

test.each([
  [0, '/x'],
  [1, '/x(1)'],
  [5, '/x(5)'],
  [16, '/x(16)'],
  [40, '/x(40)'],
  [10_000, '/x(10000)'],
])(
  'the free name beside %d taken ones is %s, and it is found with fewer than 50 checks',
  async (taken, free) => {
    const folder = folderOf(taken)
    expect<string>(await freePath(folder, parsePath('/x'))).toBe(free)
    expect(folder.asked.length).toBeLessThan(50)
  },
)
