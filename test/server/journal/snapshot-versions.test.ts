/** Versions in snapshots of the file system. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { Scope } from '#server/access/scope/scope.ts'
import { SnapshotVersions } from '#server/journal/snapshot-versions.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { isOpen } from '../../support/server/open-files.ts'
import { actorOf } from '../../support/storage/actor.ts'
import { NO_SHARES } from '../../support/storage/path-listener.ts'
import { code, serveForEach } from '../../support/storage/served.ts'

const served = serveForEach()

test('a version is closed if a command before the change refuses its restoration', async () => {
  writeFileSync(served.disk('old'), 'then')
  writeFileSync(served.disk('file'), 'now it is longer')
  const actor = actorOf({ id: 1, username: 'anna', perm: permissionsOf('admin') })
  const refuse = async () => {
    throw new Fault('internal', 'The command failed.')
  }
  const scope = new Scope(served.storage, actor, NO_SHARES, refuse)
  const path = parsePath('/file')
  const snapshots = {
    list: async () => [],
    read: () => served.storage.read(parsePath('/old')),
  }
  const versions = new SnapshotVersions(snapshots, { oldestVersionMs: async () => undefined })
  expect(await code(versions.restore(scope, path, -1))).toBe('internal')
  expect(isOpen(served.disk('old'))).toBe(false)
  expect(readFileSync(served.disk('file'), 'utf8')).toBe('now it is longer')
})
