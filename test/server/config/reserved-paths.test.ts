/** The files on the disk that belong to the server. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '#server/config/load.ts'
import { reservedPaths } from '#server/config/reserved-paths.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

test('every file in the sign-in command is reserved, also after an interpreter', () => {
  const folder = temporaryFolder()
  const [script, rules] = [join(folder.path, 'auth.sh'), join(folder.path, 'rules')]
  for (const path of [script, rules]) writeFileSync(path, '')
  const flags = {
    'auth.command': `/usr/bin/env -S sh ${script} --rules ${rules}`,
    database: join(folder.path, 'f.db'),
  }
  const { files } = reservedPaths(loadConfig({ flags, env: { HOME: folder.path } }))
  expect(files).toContain(script)
  expect(files).toContain(rules)
  folder.remove()
})
