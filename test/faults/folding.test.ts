/** Rules in single folders that ignore case (`chattr +F`), where the kernel supports them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { withMounts } from '../support/system/mounts.ts'

const CREATE_CASEFOLD =
  'mount -t tmpfs -o casefold tmpfs /mnt && mkdir /mnt/marked && chattr +F /mnt/marked'
const { success: hasCasefold, stderr } = Bun.spawnSync([
  'unshare',
  '--mount',
  'sh',
  '-c',
  CREATE_CASEFOLD,
])
if (!hasCasefold) {
  process.stdout.write(
    `This machine has no case-insensitive folders: ${stderr.toString().trim()}\n`,
  )
}

describe.skipIf(!hasCasefold)('a folder that is marked to ignore case', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let app: TestApp
  beforeAll(async () => {
    folder = temporaryFolder()
    const box = join(folder.path, 'root/anna/box')
    mkdirSync(box, { recursive: true })
    const program = withMounts(
      folder.path,
      [],
      [
        `mount -t tmpfs -o casefold tmpfs '${box}'`,
        `mkdir '${box}/marked' '${box}/plain'`,
        `chattr +F '${box}/marked'`,
        ...['marked', 'plain'].flatMap((name) => [
          `mkdir -p '${box}/${name}/Private/deep'`,
          `echo secret > '${box}/${name}/Private/deep/file'`,
        ]),
      ],
    )
    app = await openTestApp({ root: join(folder.path, 'root'), program })
    for (const name of ['marked', 'plain']) {
      await app.runCommand('rules', 'add', `/box/${name}/private`, '--user', 'anna')
    }
  })
  afterAll(async () => {
    await app.stop()
    folder.remove()
  })

  test('rules ignore case in a case-insensitive folder, and respect it in the folder beside it', async () => {
    const read = (path: string) => outcome(app.anna.call('GET', `${API.raw}/box/${path}`))
    expect(await read('marked/Private/deep/file')).toBe('403 forbidden')
    expect(await read('marked/PRIVATE/deep/file')).toBe('403 forbidden')
    expect(await read('plain/Private/deep/file')).toBe('200')
  })
})
