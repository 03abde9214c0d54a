/** Objects that are opened by the requested name, without a lookup of their real name. */
import { expect, test } from 'bun:test'
import { constants, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { O_PATH } from '#server/os/flags.ts'
import { openOnSameMount } from '#server/os/open-beneath.ts'
import { ConfinedFolder } from '#server/storage/local/confine/confined-folder.ts'
import { FoldsCase } from '#server/storage/local/confine/folds-case.ts'
import { NameAliases } from '#server/storage/local/confine/name-aliases.ts'
import { ServerFiles } from '#server/storage/local/confine/server-files.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { FOLLOW_LINKS, openExactly } from '#server/storage/local/handles/resolve.ts'
import { parsePath } from '#wire/paths.ts'
import { code, serveForEach } from '../../../../support/storage/served.ts'

const served = serveForEach({
  root: 'root',
  fill: () => {
    mkdirSync(disk('root/box'), { recursive: true })
    for (const name of ['file', 'müsli']) writeFileSync(disk(`root/box/${name}`), name)
    symlinkSync('box', disk('root/link'))
    symlinkSync('file', disk('root/box/alias'))
  },
})
const { disk } = served

test('a name without a link is opened directly', () => {
  using root = openFolder(disk('root'))
  using file = openExactly(root, parsePath('/box/file'))
  expect(file?.realPath()).toBe(disk('root/box/file'))
})

test.each(['/link/file', '/box/alias', '/link', '/box/müsli', '/'])(
  'the real name of %s is looked up, because it may differ',
  (path) => {
    using root = openFolder(disk('root'))
    expect(openExactly(root, parsePath(path))).toBeUndefined()
  },
)

test('a missing name fails with notFound', async () => {
  expect(await code(served.storage.stat(parsePath('/box/none')))).toBe('notFound')
})

test('a path on another mount, which may ignore case, is not opened directly', () => {
  using top = openFolder('/')
  const open = () => openOnSameMount(top.fd, 'proc/self', O_PATH | constants.O_NOFOLLOW)
  expect(open).toThrow('EXDEV')
})

test('a file system is known to be case-sensitive only after a name with letters was tested', () => {
  mkdirSync(disk('digits'))
  writeFileSync(disk('digits/123'), '')
  using root = openFolder(disk('digits'))
  const folds = new FoldsCase(root)
  // A name without a letter does not show it.
  expect(folds.isKnownCaseSensitive(root, root.stat())).toBe(false)
  writeFileSync(disk('digits/letters'), '')
  expect(folds.isKnownCaseSensitive(root, root.stat())).toBe(true)
})

test('on a file system that ignores case, the path of an opened object is checked', () => {
  using root = openFolder(disk('root'))
  const folds = new FoldsCase(root)
  folds.appliesTo = () => true
  const checked: [path: string, foldsCase: boolean | undefined][] = []
  using folder = ConfinedFolder.open(root, [], {
    rootPath: () => disk('root'),
    serverFiles: new ServerFiles({ files: [], folders: [] }),
    folds,
    aliases: new NameAliases(),
    checkPath: (...one) => void checked.push(one),
    resolver: FOLLOW_LINKS,
  })
  folder.node(parsePath('/box/file'))
  expect(checked).toEqual([['/box/file', true]])
})
