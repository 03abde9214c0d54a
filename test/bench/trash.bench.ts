/**
 * The deletion of a folder of 100 000 files, which moves it into the trash, and its restoration by an undo: milliseconds
 * from the request to the response. Once with all files in one subfolder, and once with a hundred subfolders.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median } from './measure.ts'
import { report } from './report.ts'

const ROUNDS = 5
const FILES = 100_000
/** Numbers of subfolders. */
const FOLDERS = { flat: 1, deep: 100 }

const folder = temporaryFolder()
const server = await startServer({ root: folder.path })
try {
  const admin = await signIn(server.url, 'admin', server.password)
  const figures: Record<string, number> = {}
  for (const [name, folders] of Object.entries(FOLDERS)) {
    fill(name, folders)
    const [deletionsMs, restorationsMs]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      let startedAt = performance.now()
      const deleted = await admin.call('DELETE', `${API.resources}/${name}`)
      deletionsMs.push(performance.now() - startedAt)
      if (deleted.status !== 204) throw new Error(`A deletion: ${deleted.status}.`)
      const id = Number(deleted.headers.get(JOURNAL_HEADER))
      startedAt = performance.now()
      const undone = await admin.call('POST', `${API.journal}/undo`, { id })
      restorationsMs.push(performance.now() - startedAt)
      if (!undone.ok) throw new Error(`An undo: ${undone.status}.`)
    }
    figures[`${name}DeleteMs`] = median(deletionsMs)
    figures[`${name}RestoreMs`] = median(restorationsMs)
  }
  report('a folder of 100 000 files', budgets.trash, figures)
} finally {
  await server.stop()
  folder.remove()
}

function fill(name: string, folders: number): void {
  for (let index = 0; index < folders; index += 1) {
    const subfolder = join(folder.path, name, `${index}`)
    mkdirSync(subfolder, { recursive: true })
    for (let file = 0; file < FILES / folders; file += 1)
      writeFileSync(join(subfolder, `${file}`), '')
  }
}
