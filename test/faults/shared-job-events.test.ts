/** The event stream of one server reports the jobs of another one with the same folder and database. */
import { afterAll, beforeAll, test } from 'bun:test'
import { mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signInWhenFree } from '../support/server/client.ts'
import { writeEndless } from '../support/server/endless.ts'
import { control, ended, jobOf, started, until } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
let servers: TestServer[]
let first: Client
let second: Client
beforeAll(async () => {
  folder = temporaryFolder()
  mkdirSync(at('root'))
  const options = { root: at('root'), database: at('filemgr.db') }
  servers = [await startServer(options), await startServer(options)]
  first = await signInWhenFree(servers[0]?.url ?? '', 'admin', PASSWORD)
  second = await signInWhenFree(servers[1]?.url ?? '', 'admin', PASSWORD)
}, 60_000)
afterAll(async () => {
  for (const server of servers) await server.stop()
  folder.remove()
})

const at = (...names: string[]) => join(folder.path, ...names)

/** Opens the event stream of a server. `jobs` resolves at the next event of jobs. */
async function listen(client: Client) {
  const answer = await client.call('GET', `${API.events}/`)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const jobs = async () => {
    for (;;) {
      const found = text.indexOf('event: jobs\n')
      if (found >= 0) {
        text = text.slice(found + 1)
        return
      }
      const part = await reader?.read()
      if (!part || part.done) throw new Error('The stream has ended.')
      text += part.value
    }
  }
  return { jobs, leave: () => reader?.cancel() }
}

/** As a page does: reads the job again after each event, until the condition is true. */
async function seen(client: Client, id: number, events: () => Promise<void>, state: string) {
  while ((await jobOf(client, id)).state !== state) await events()
}

test('a page at one server sees the progress of a job at the other', async () => {
  mkdirSync(at('root/endless'))
  writeEndless(at('root/endless/zeros'))
  const { jobs, leave } = await listen(first)
  const items = [{ path: '/endless' }]
  const { id } = await started(second, { kind: 'archive', items, to: '/made.tar.gz' })
  await jobs()
  await seen(first, id, jobs, 'running')
  await until(second, id, ({ bytesDone }) => bytesDone > 0)
  await control(second, id, 'pause')
  await seen(first, id, jobs, 'paused')
  truncateSync(at('root/endless/zeros'), 5)
  await control(second, id, 'resume')
  await seen(first, id, jobs, 'done')
  await ended(second, id)
  const forgotten = jobs()
  await second.call('DELETE', `${API.jobs}/${id}`)
  await forgotten
  await leave()
}, 60_000)
