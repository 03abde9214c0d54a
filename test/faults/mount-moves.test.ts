/** Moves to another file system that fail, or that a kill interrupts: no file is lost, and no staged file is left. */
import { describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { countFiles, temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'

if (noMounts) process.stdout.write(`${noMounts}\n`)

test.skipIf(noMounts !== undefined)(
  'a move that fails leaves its source unchanged, and no staged files at its destination',
  async () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    const mounts = [
      { at: 'root', sizeMiB: 1 },
      { at: 'root/disk', sizeMiB: 16 },
    ]
    mkdirSync(root)
    const server = await startServer({ root, program: withMounts(folder.path, mounts) })
    const admin = await signIn(server.url, 'admin', server.password)
    const disk = (name: string) => seenBy(server.pid, join(root, name))
    mkdirSync(disk('disk/large'))
    for (const name of ['a', 'b']) writeFileSync(disk(`disk/large/${name}`), 'x'.repeat(600_000))
    const move = admin.call(
      'PATCH',
      `${API.resources}/disk/large?action=rename&destination=%2Flarge`,
    )
    expect(await outcome(move)).toBe('507 noSpace')
    expect(readdirSync(disk('disk/large')).sort()).toEqual(['a', 'b'])
    const [own = ''] = readdirSync(disk('.filemgr/work'))
    expect(readdirSync(disk(`.filemgr/work/${own}`))).toEqual([])
    await server.stop()
    folder.remove()
  },
)

describe.skipIf(noMounts !== undefined)('a server that is killed while it moves', () => {
  test('a server that is killed while it moves loses nothing, and its next start removes staged files from the mount', async () => {
    const folder = temporaryFolder()
    const [root, elsewhere] = [join(folder.path, 'root'), join(folder.path, 'elsewhere')]
    for (const path of [root, elsewhere]) mkdirSync(path)
    const database = join(folder.path, 'f.db')
    const program = withMounts(root, [{ at: 'disk', folder: elsewhere }])
    const files = Array.from({ length: 60 }, (_, number) => `deep${number % 5}/f${number}`)
    for (const name of files) {
      mkdirSync(join(root, 'tree', name, '..'), { recursive: true })
      writeFileSync(join(root, 'tree', name), name.repeat(500))
    }
    const whole = (top: string) =>
      files.every((name) => {
        const path = join(top, name)
        return existsSync(path) && readFileSync(path, 'utf8') === name.repeat(500)
      })
    let password = ''
    let interruptions = 0
    let [here, there] = [join(root, 'tree'), join(elsewhere, 'tree')]
    for (let kill = 0; kill < 6; kill += 1) {
      const server = await startServer({ root, database, program })
      password ||= server.password
      const admin: Client = await signIn(server.url, 'admin', password)
      const [from, to] = here.startsWith(root) ? ['tree', '/disk/tree'] : ['disk/tree', '/tree']
      let isAnswered = false
      const moving = admin
        .call('PATCH', `${API.resources}/${from}?action=rename&destination=${to}`)
        .catch(() => undefined)
        .finally(() => {
          isAnswered = true
        })
      // In each round, the kill comes after more files were copied.
      const staged = join(there, '../.filemgr')
      while (!isAnswered && countFiles(staged) < 1 + kill * 10) await new Promise(setImmediate)
      server.kill('SIGKILL')
      await moving
      await server.stop()
      if (countFiles(staged) > 0) interruptions += 1
      const next = await startServer({ root, database, program })
      await next.stop()
      const paths = [here, there].filter((path) => existsSync(path))
      expect(paths.length).toBeGreaterThan(0)
      for (const path of paths) expect(whole(path), `${path}, kill ${kill}`).toBe(true)
      expect(readdirSync(elsewhere).filter((name) => name.startsWith('.filemgr'))).toEqual([])
      expect(readdirSync(join(root, '.filemgr/work'))).toEqual([])
      if (paths.length === 2) renameSync(here, join(folder.path, `copy${kill}`))
      if (paths.at(-1) === there) [here, there] = [there, here]
    }
    expect(interruptions).toBeGreaterThan(0)
    folder.remove()
  }, 60_000)
})
