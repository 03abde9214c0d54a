import { expect, spyOn, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openApp } from '#server/app.ts'
import { loadConfig } from '#server/config/load.ts'
import { serve } from '#server/server.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { freePort } from '../support/server/ports.ts'

test('a start that fails after the server listens stops it', async () => {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  mkdirSync(root)
  const port = String(await freePort())
  const flags = { root, port, database: join(folder.path, 'f.db') }
  const app = await openApp(loadConfig({ flags, env: {}, file: undefined }))
  if (!app.index) throw new Error('There is no index.')
  spyOn(app.index, 'start').mockImplementation(() => {
    throw new Error('no thread')
  })
  await expect(serve(app)).rejects.toThrow('no thread')
  expect(() =>
    Bun.serve({ port, hostname: '127.0.0.1', reusePort: false, fetch: () => new Response() }).stop(
      true,
    ),
  ).not.toThrow()
  await app.close()
  folder.remove()
})
