/** Processes that start at the same moment agree on the identity of the served folder, and on its database. */
import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../../support/files/tree.ts'
import { REPO_ROOT } from '../../../../support/server/executable.ts'

const PROCESSES = 4
const ROUNDS = 20

/** Prints, for each round, the identity and the database as this process finds them. */
const PROCESS = `
  import { existsSync, writeFileSync } from 'node:fs'
  import { openOwnFolder } from '#server/storage/local/attributes/own-folder.ts'
  import { openFolder } from '#server/storage/local/handles/descriptor.ts'
  import { databaseOf, setDatabase } from '#server/storage/local/private/root-database.ts'
  import { ensureIdentity } from '#server/storage/local/private/root-identity.ts'
  const [home, own] = process.argv.slice(-2)
  const seen = []
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    const root = home + '/' + round
    using served = openFolder(root)
    using folder = openOwnFolder(served, '.filemgr')
    writeFileSync(root + '/ready-' + own, '')
    while (!existsSync(root + '/go'));
    const identity = ensureIdentity(folder, false)
    const before = databaseOf(root, openFolder)
    setDatabase(root, openFolder, 'the database')
    seen.push(identity + ' ' + (before ?? 'the database'))
  }
  process.stdout.write(JSON.stringify(seen))
`

test('the identity and the database of a folder are the same for all', async () => {
  const folder = temporaryFolder()
  const at = (...names: string[]) => join(folder.path, ...names)
  for (let round = 0; round < ROUNDS; round += 1) mkdirSync(at(`${round}`))
  const children = Array.from({ length: PROCESSES }, (_, own) =>
    Bun.spawn([process.execPath, '-e', PROCESS, '--', folder.path, `${own}`], {
      cwd: REPO_ROOT,
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  )
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ready = () =>
        readdirSync(at(`${round}`)).filter((name) => name.startsWith('ready')).length
      while (ready() < PROCESSES) {
        expect(children.filter(({ exitCode }) => (exitCode ?? 0) > 0)).toHaveLength(0)
        await Bun.sleep(1)
      }
      writeFileSync(at(`${round}`, 'go'), '')
    }
    const seen: string[][] = []
    for (const child of children) seen.push(JSON.parse(await new Response(child.stdout).text()))
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = new Set(seen.map((rounds) => rounds[round]))
      expect([...answers]).toEqual([expect.stringMatching(/^[0-9a-f]{32} the database$/)])
      expect(readdirSync(at(`${round}`, '.filemgr')).toSorted()).toEqual(['database', 'identity'])
    }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    folder.remove()
  }
}, 30_000)
