/** The walk in steps, where the kernel cannot walk by itself, and links that try to leave. */
import { expect, test } from 'bun:test'
import { constants, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { openFolder } from '#server/storage/handle.ts'
import { parsePath } from '#wire/paths.ts'
import { code, serveForEach } from '../../support/served.ts'

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
const look = (path: string) => code(served.storage.stat(parsePath(path)))

test('a link that climbs over the top leads out, and not back to the top', async () => {
  symlinkSync('../secret', disk('root/up'))
  symlinkSync('../../secret', disk('root/box/up'))
  symlinkSync('../../../../../../../../secret', disk('root/box/far'))
  for (const path of ['/up', '/box/up', '/box/far']) expect(await look(path)).toBe('outside')
})

test('an absolute link to a neighbour whose name begins like the root leads out', async () => {
  symlinkSync(disk('root-beside/secret'), disk('root/beside'))
  symlinkSync(disk('root-beside'), disk('root/folder'))
  for (const path of ['/beside', '/folder', '/folder/secret']) {
    expect(await look(path)).toBe('outside')
  }
})

test('absolute links that lead to each other end', async () => {
  symlinkSync(disk('root/two'), disk('root/one'))
  symlinkSync(disk('root/one'), disk('root/two'))
  for (const path of ['/one', '/one/x']) expect(await look(path)).toBe('outside')
})

test('a name in an open folder is opened itself, and no link is followed', () => {
  symlinkSync('secret', disk('root/link'))
  using root = openFolder(disk('root'))
  expect(() => root.child('link', constants.O_RDONLY)).toThrow('ELOOP')
})
