/** The files of an archive are open only while they are read. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Scope } from '#server/access/scope/scope.ts'
import { contentsOf, SMALL_FILE_BYTES } from '#server/archives/write/file-contents.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { isOpen } from '../../../support/server/open-files.ts'
import { actorOf } from '../../../support/storage/actor.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { serveForEach } from '../../../support/storage/served.ts'

const served = serveForEach()

test('a large file is closed if the archive ends before its first byte is read', async () => {
  writeFileSync(served.disk('large'), new Uint8Array(SMALL_FILE_BYTES + 1))
  const actor = actorOf({ id: 1, username: 'anna', perm: permissionsOf('download') })
  const scope = new Scope(served.storage, actor, NO_SHARES, async () => undefined)
  const node = await scope.stat(parsePath('/large'))
  const roomOf = () => ({ before: 0, after: 0 })
  for await (const { file } of contentsOf(scope, [{ name: 'large', node }], roomOf)) {
    // As after the header of a tar, when the client leaves.
    expect(file?.bytes.locked).toBe(false)
    expect(isOpen(served.disk('large'))).toBe(true)
    break
  }
  expect(isOpen(served.disk('large'))).toBe(false)
})
