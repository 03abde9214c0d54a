/**
 * A folder of 100 000 files goes into the trash, and comes back: from the request to the answer, in milliseconds. Once
 * with all files in one folder, and once with a hundred folders.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { JOURNAL_HEADER } from '#wire/journal.ts'
import { API } from '#wire/routes.ts'
import { signIn } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median } from './measure.ts'
import { report } from './report.ts'

const ROUNDS = 5
const FILES = 100_000
const FOLDERS = { flat: 1, deep: 100 }

const folder = temporaryFolder()
const server = await startServer({ root: folder.path })
try {
  const admin = await signIn(server.url, 'admin', server.password)
  const figures: Record<string, number> = {}
  for (const [name, folders] of Object.entries(FOLDERS)) {
    fill(name, folders)
    const [deleted, restored]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      let startedAt = performance.now()
      const answer = await admin.call('DELETE', `${API.resources}/${name}`)
      deleted.push(performance.now() - startedAt)
      if (answer.status !== 204) throw new Error(`The removal answered ${answer.status}.`)
      const id = Number(answer.headers.get(JOURNAL_HEADER))
      startedAt = performance.now()
      const undone = await admin.call('POST', `${API.journal}/undo`, { id })
      restored.push(performance.now() - startedAt)
      if (!undone.ok) throw new Error(`The undo answered ${undone.status}.`)
    }
    figures[`${name}DeleteMs`] = median(deleted)
    figures[`${name}RestoreMs`] = median(restored)
  }
  report('a folder of 100 000 files', budgets.trash, figures)
} finally {
  await server.stop()
  folder.remove()
}

function fill(name: string, folders: number): void {
  for (let at = 0; at < folders; at += 1) {
    const inside = join(folder.path, name, `${at}`)
    mkdirSync(inside, { recursive: true })
    for (let file = 0; file < FILES / folders; file += 1) writeFileSync(join(inside, `${file}`), '')
  }
}
