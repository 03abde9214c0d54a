/** A long copy checks rights and rules before each file, and not only at its beginning and its end. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Actor } from '#server/access/actor.ts'
import { Scope } from '#server/access/scope/scope.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { code, serveForEach } from '../../../support/storage/served.ts'

const served = serveForEach()
const ANNA: Actor = {
  id: 1,
  username: 'anna',
  perm: permissionsOf('create', 'rename'),
  scope: ROOT,
  rulesFrom: [ROOT],
  rules: [],
  hideDotfiles: false,
}
const deny = (path: string) => ({ regex: false, allow: false, path, regexp: null })

const LATER: Record<string, Actor> = {
  'the rights': { ...ANNA, perm: permissionsOf('download') },
  'the rules': { ...ANNA, rules: [deny('/tree')] },
}

test.each(Object.keys(LATER))(
  'a long copy stops at the next file after a change of %s',
  async (what) => {
    mkdirSync(join(served.path, 'tree'))
    // More files than are copied in parallel.
    for (let at = 0; at < 100; at += 1) writeFileSync(join(served.path, 'tree', `${at}`), 'a')
    let [files, late] = [0, 0]
    const present = async () => (files > 0 ? (LATER[what] ?? ANNA) : ANNA)
    const scope = new Scope(served.storage, ANNA, NO_SHARES, async () => undefined, present)
    const resumable = {
      name: 'copy',
      next() {
        if (files > 0) late += 1
      },
      copied: () => undefined,
      done() {
        files += 1
      },
    }
    const [from, to] = [parsePath('/tree'), parsePath('/to')]
    expect(await code(scope.copy(from, to, { overwrite: false, resumable }))).toBe('forbidden')
    expect(files).toBeGreaterThan(0)
    expect(late).toBe(0)
    expect(existsSync(join(served.path, 'to'))).toBe(false)
  },
)
