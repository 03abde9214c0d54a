/**
 * Archives of 10 000 files of 10 KiB: downloaded from the executable, and made by the library archiver in this process,
 * without a network. Both store the files without compression. Figures are ratios of median times: below 1, the server
 * is faster.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Archiver, TarArchive, ZipArchive } from 'archiver'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median, timed } from './measure.ts'
import { report } from './report.ts'

const ROUNDS = 5
const FOLDERS = 20
const FILES_PER_FOLDER = 500
const CONTENT = randomBytes(10 * 1024)

const folder = temporaryFolder()
for (let index = 0; index < FOLDERS; index += 1) {
  const subfolder = join(folder.path, `folder ${index}`)
  mkdirSync(subfolder)
  for (let file = 0; file < FILES_PER_FOLDER; file += 1)
    writeFileSync(join(subfolder, `${file}.bin`), CONTENT)
}
const server = await startServer({ root: folder.path })
try {
  const admin = await signIn(server.url, 'admin', server.password)
  const downloaded = (algo: string) => async () => {
    const response = await admin.call('GET', `${API.raw}/?algo=${algo}`)
    if (!response.ok || !response.body) throw new Error(`${algo}: ${response.status}`)
    await mustHoldAll(response.body)
  }
  const figures = {
    zipToArchiver: await ratio(downloaded('zip'), () => made(new ZipArchive({ store: true }))),
    tarToArchiver: await ratio(downloaded('tar'), () => made(new TarArchive())),
  }
  report('archives of 10 000 files, as ratios', budgets.archive, figures)
} finally {
  await server.stop()
  folder.remove()
}

/** Makes an archive with the library. */
async function made(archive: Archiver): Promise<void> {
  archive.glob('folder*/**', { cwd: folder.path })
  const finished = archive.finalize()
  await mustHoldAll(archive)
  await finished
}

/** @throws Error if an archive is smaller than the files that it must contain */
async function mustHoldAll(archive: AsyncIterable<Uint8Array>): Promise<void> {
  let bytes = 0
  for await (const part of archive) bytes += part.length
  if (bytes < FOLDERS * FILES_PER_FOLDER * CONTENT.length)
    throw new Error(`An archive has ${bytes} bytes.`)
}

/** Divides the median times. Rounds alternate, so that other work on the machine disturbs both. */
async function ratio(own: () => Promise<void>, peer: () => Promise<void>): Promise<number> {
  const [ownMs, peerMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    ownMs.push(await timed(own))
    peerMs.push(await timed(peer))
  }
  return median(ownMs) / median(peerMs)
}
