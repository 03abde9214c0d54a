/** What is opened by the name that it was asked by, without looking its real name up. */
import { expect, test } from 'bun:test'
import { constants, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { O_PATH } from '#server/os/flags.ts'
import { openOnSameMount } from '#server/os/open-beneath.ts'
import { ConfinedFolder } from '#server/storage/confined-folder.ts'
import { FoldsCase } from '#server/storage/folds-case.ts'
import { openFolder } from '#server/storage/handle.ts'
import { openExactly } from '#server/storage/local-resolve.ts'
import { NameAliases } from '#server/storage/name-aliases.ts'
import { ServerFiles } from '#server/storage/server-files.ts'
import { parsePath } from '#wire/paths.ts'
import { code, serveForEach } from '../../support/served.ts'

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
  '%s is looked up: its real name may be another',
  (path) => {
    using root = openFolder(disk('root'))
    expect(openExactly(root, parsePath(path))).toBeUndefined()
  },
)

test('a missing name gives its error at once', async () => {
  expect(await code(served.storage.stat(parsePath('/box/none')))).toBe('notFound')
})

test('another mount is not entered: its own names may fold case', () => {
  using top = openFolder('/')
  const open = () => openOnSameMount(top.fd, 'proc/self', O_PATH | constants.O_NOFOLLOW)
  expect(open).toThrow('EXDEV')
})

test('names are taken as they are asked only where case is known to count', () => {
  mkdirSync(disk('digits'))
  writeFileSync(disk('digits/123'), '')
  using root = openFolder(disk('digits'))
  const folds = new FoldsCase(root)
  // A name without a letter tells nothing.
  expect(folds.isKnownCaseSensitive(root, root.stat())).toBe(false)
  writeFileSync(disk('digits/letters'), '')
  expect(folds.isKnownCaseSensitive(root, root.stat())).toBe(true)
})

test('where case may not count, rules are asked about what was opened', () => {
  using root = openFolder(disk('root'))
  const folds = new FoldsCase(root)
  folds.appliesTo = () => true
  const asked: [path: string, foldsCase: boolean | undefined][] = []
  using folder = ConfinedFolder.open(root, [], {
    rootPath: () => disk('root'),
    serverFiles: new ServerFiles({ files: [], folders: [] }),
    folds,
    aliases: new NameAliases(),
    checkPath: (...one) => void asked.push(one),
  })
  folder.node(parsePath('/box/file'))
  expect(asked).toEqual([['/box/file', true]])
})
