/** Rules in folders that ignore the case of names, below a root that does not. */
import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Scope } from '#server/access/scope/scope.ts'
import { FolderNodes } from '#server/storage/folder-nodes.ts'
import { FoldsCase } from '#server/storage/local/confine/folds-case.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import type { Node } from '#server/storage/node.ts'
import type { PathCheck, Storage, WithinOptions } from '#server/storage/storage.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { code } from '../../../support/storage/served.ts'

/** Reports in all nodes, and to the path check, that the file system ignores case. */
class FoldingStorage extends MemoryStorage {
  #checkPath: PathCheck | undefined

  override within(folder: TreePath, { checkPath }: WithinOptions = {}): Storage {
    this.#checkPath = checkPath
    return folder === ROOT ? this : super.within(folder)
  }

  override async stat(path: TreePath): Promise<Node> {
    this.#checkPath?.(path, true)
    return { ...(await super.stat(path)), foldsCase: true }
  }

  override async list(path: TreePath): Promise<FolderNodes> {
    const nodes = [...(await super.list(path))]
    return FolderNodes.of(nodes.map((node) => ({ ...node, foldsCase: true })))
  }
}

test('a rule applies to every spelling of a name that the file system treats as the same name', async () => {
  const storage = new FoldingStorage()
  await storage.mkdir(parsePath('/box/Private'))
  await storage.mkdir(parsePath('/box/open'))
  const actor = {
    id: 1,
    username: 'anna',
    perm: permissionsOf('create', 'rename', 'modify', 'delete', 'download'),
    scope: ROOT,
    rulesFrom: [ROOT],
    rules: [{ regex: false, allow: false, path: '/box/private', regexp: null }],
    hideDotfiles: false,
  }
  const scope = new Scope(storage, actor, NO_SHARES, async () => undefined)
  const listed = await scope.list(parsePath('/box'))
  expect(listed.map(({ path }) => path)).toEqual([parsePath('/box/open')])
  expect(await code(scope.stat(parsePath('/box/Private')))).toBe('forbidden')
  expect(await code(scope.remove(parsePath('/box')))).toBe('forbidden')
  expect(await code(scope.move(parsePath('/box'), parsePath('/away'), { overwrite: false }))).toBe(
    'forbidden',
  )
})

test('a case-sensitive file system is recognized, whichever name is tested', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder.path, 'sub'))
  writeFileSync(join(folder.path, 'sub/file'), '')
  symlinkSync('file', join(folder.path, 'sub/link'))
  using root = openFolder(folder.path)
  using sub = openFolder(join(folder.path, 'sub'))
  const folds = new FoldsCase(root)
  expect([folds.atRoot, folds.appliesTo(sub)]).toEqual([false, false])
  expect(folds.isKnownCaseSensitive(sub, sub.stat())).toBe(true)
  // On macOS no file system has only one name for a file.
  const always = new FoldsCase(root, undefined, true)
  expect([always.atRoot, always.appliesTo(sub)]).toEqual([true, true])
  expect(always.isKnownCaseSensitive(sub, sub.stat())).toBe(false)
  folder.remove()
})
