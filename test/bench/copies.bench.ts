/**
 * A job that copies a folder of 20 000 files, 2 GiB in all, from memory to the disk: the time from its plan to its end,
 * divided by that of `cp -r` and a flush of the whole file system. A ratio of 1.25 is 0.8 of the throughput.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { startServer } from '../support/server/server.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median, runToEnd, timed } from './measure.ts'
import { report } from './report.ts'

const ROUNDS = 3
const FILES = 20_000
const FOLDERS = 100
const TOTAL_BYTES = 2 ** 31
/** The folder at which the source, a file system in memory, is mounted. */
const SOURCE = 'memory'

if (noMounts) throw new Error(noMounts)

const folder = temporaryFolder()
const root = join(folder.path, 'root')
mkdirSync(root)
const program = withMounts(root, [{ at: SOURCE, sizeMiB: 3 * 1024 }])
const server = await startServer({ root, program })
try {
  // Only the server and its children see the mount at its path.
  const source = join(seenBy(server.pid, root), SOURCE, 'tree')
  fill(source)
  const admin = await signIn(server.url, 'admin', server.password)
  const [jobMs, cpMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    cpMs.push(await timed(() => copyAndFlush(source, join(root, `cp${round}`))))
    await runToEnd('rm', '-rf', join(root, `cp${round}`))
    await runToEnd('sync', '-f', root)
    jobMs.push(
      await timed(async () => {
        const items = [{ path: `/${SOURCE}/tree` }]
        const job = await started(admin, { kind: 'copy', items, to: `/job${round}` })
        const { state, failed } = await ended(admin, job.id)
        if (state !== 'done' || failed > 0) throw new Error(`The job is ${state}.`)
      }),
    )
    await runToEnd('rm', '-rf', join(root, `job${round}`))
    await runToEnd('sync', '-f', root)
  }
  report('a copy of 20 000 files to another file system', budgets.copies, {
    jobToCp: median(jobMs) / median(cpMs),
  })
} finally {
  await server.stop()
  folder.remove()
}

function fill(path: string): void {
  const content = Buffer.alloc(Math.floor(TOTAL_BYTES / FILES), 'content ')
  for (let index = 0; index < FILES; index += 1) {
    const subfolder = join(path, `${index % FOLDERS}`)
    mkdirSync(subfolder, { recursive: true })
    writeFileSync(join(subfolder, `${index}`), content)
  }
}

async function copyAndFlush(from: string, to: string): Promise<void> {
  await runToEnd('cp', '-r', from, to)
  await runToEnd('sync', '-f', to)
}
