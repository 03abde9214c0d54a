/**
 * Archives of 10 000 files of 10 KiB: over HTTP by the executable, side by side with archiver, which only
 * makes the same bytes in this process and sends them nowhere. Figures are ratios of medians: below 1 the
 * server is faster. Members are stored by both.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Archiver, TarArchive, ZipArchive } from 'archiver'
import { API } from '#wire/routes.ts'
import { signIn } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median, timed } from './measure.ts'
import { report } from './report.ts'

const ROUNDS = 5
const FOLDERS = 20
const FILES_EACH = 500
const BYTES = randomBytes(10 * 1024)

const folder = temporaryFolder()
for (let at = 0; at < FOLDERS; at += 1) {
  const inside = join(folder.path, `folder ${at}`)
  mkdirSync(inside)
  for (let file = 0; file < FILES_EACH; file += 1) writeFileSync(join(inside, `${file}.bin`), BYTES)
}
const server = await startServer({ root: folder.path })
try {
  const admin = await signIn(server.url, 'admin', server.password)
  const served = (algo: string) => async () => {
    const response = await admin.call('GET', `${API.raw}/?algo=${algo}`)
    if (!response.ok || !response.body) throw new Error(`${algo}: ${response.status}`)
    await mustHoldAll(response.body)
  }
  const figures = {
    zipToArchiver: await ratio(served('zip'), () => made(new ZipArchive({ store: true }))),
    tarToArchiver: await ratio(served('tar'), () => made(new TarArchive())),
  }
  report('archives of 10 000 files, as ratios', budgets.archive, figures)
} finally {
  await server.stop()
  folder.remove()
}

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
  if (bytes < FOLDERS * FILES_EACH * BYTES.length) throw new Error(`An archive has ${bytes} bytes.`)
}

/** In turn, so that what disturbs one disturbs the other. */
async function ratio(own: () => Promise<void>, peer: () => Promise<void>): Promise<number> {
  const [ownMs, peerMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    ownMs.push(await timed(own))
    peerMs.push(await timed(peer))
  }
  return median(ownMs) / median(peerMs)
}
