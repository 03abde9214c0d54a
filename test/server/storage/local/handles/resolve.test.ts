/** Links to targets outside the root, and links in a circle. */
import { expect, test } from 'bun:test'
import { constants, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { parsePath } from '#wire/paths.ts'
import { code, serveForEach } from '../../../../support/storage/served.ts'

const served = serveForEach({
  root: 'root',
  fill: () => {
    mkdirSync(disk('root/box'), { recursive: true })
    mkdirSync(disk('root-beside'))
    for (const name of ['root/secret', 'secret', 'root-beside/secret'])
      writeFileSync(disk(name), name)
  },
})
const { disk } = served
const statCode = (path: string) => code(served.storage.stat(parsePath(path)))

test('a link with too many `..` leads outside, and does not end at the root', async () => {
  symlinkSync('../secret', disk('root/up'))
  symlinkSync('../../secret', disk('root/box/up'))
  symlinkSync('../../../../../../../../secret', disk('root/box/far'))
  for (const path of ['/up', '/box/up', '/box/far']) expect(await statCode(path)).toBe('outside')
})

test('an absolute link to a folder beside the root, whose name begins with that of the root, leads outside', async () => {
  symlinkSync(disk('root-beside/secret'), disk('root/beside'))
  symlinkSync(disk('root-beside'), disk('root/folder'))
  for (const path of ['/beside', '/folder', '/folder/secret']) {
    expect(await statCode(path)).toBe('outside')
  }
})

test('absolute links to each other are only links, and lead nowhere', async () => {
  symlinkSync(disk('root/two'), disk('root/one'))
  symlinkSync(disk('root/one'), disk('root/two'))
  expect((await served.storage.stat(parsePath('/one'))).kind).toBe('danglingLink')
  expect(await statCode('/one/x')).toBe('outside')
})

test('a handle opens a name in its folder without following a link', () => {
  symlinkSync('secret', disk('root/link'))
  using root = openFolder(disk('root'))
  expect(() => root.child('link', constants.O_RDONLY)).toThrow('ELOOP')
})
