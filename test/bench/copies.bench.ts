/**
 * A job copies a folder of small files to another file system, from its confirmation to its end, beside `cp -r` and a
 * flush of the whole file system. The ratio is that of the times: 1.25 is 0.8 of the throughput.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signIn } from '../support/client.ts'
import { ended, started } from '../support/jobs.ts'
import { noMounts, seenBy, withMounts } from '../support/mounts.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median, runToEnd, timed } from './measure.ts'
import { report } from './report.ts'

const ROUNDS = 3
const FILES = 20_000
const FOLDERS = 100
const BYTES = 2 ** 31
const SOURCE = 'memory'

if (noMounts) throw new Error(noMounts)

const folder = temporaryFolder()
mkdirSync(join(folder.path, 'root'))
const root = join(folder.path, 'root')
const program = withMounts(root, [{ at: SOURCE, sizeMiB: 3 * 1024 }])
const server = await startServer({ root, program })
try {
  const seen = seenBy(server.pid, root)
  fill(join(seen, SOURCE, 'tree'))
  const admin = await signIn(server.url, 'admin', server.password)
  const [byJob, byCp]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    byCp.push(await timed(() => copied(join(seen, SOURCE, 'tree'), join(root, `cp${round}`))))
    await runToEnd('rm', '-rf', join(root, `cp${round}`))
    await runToEnd('sync', '-f', root)
    byJob.push(
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
    jobToCp: median(byJob) / median(byCp),
  })
} finally {
  await server.stop()
  folder.remove()
}

function fill(path: string): void {
  const content = Buffer.alloc(Math.floor(BYTES / FILES), 'content ')
  for (let at = 0; at < FILES; at += 1) {
    const inside = join(path, `${at % FOLDERS}`)
    mkdirSync(inside, { recursive: true })
    writeFileSync(join(inside, `${at}`), content)
  }
}

async function copied(from: string, to: string): Promise<void> {
  await runToEnd('cp', '-r', from, to)
  await runToEnd('sync', '-f', to)
}
