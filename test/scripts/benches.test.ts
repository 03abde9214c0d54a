import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { REPO_ROOT } from '../support/server/executable.ts'
import { isRunning } from '../support/server/process.ts'

const BENCHES = join(REPO_ROOT, 'test/bench')

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a benchmark that is ended by %s leaves neither its server nor its folders',
  async (signal) => {
    const folder = temporaryFolder()
    try {
      const script = `
        import '${BENCHES}/report.ts'
        import { startServer } from '${BENCHES}/../support/server/server.ts'
        import { temporaryFolder } from '${BENCHES}/../support/files/tree.ts'
        const { path } = temporaryFolder()
        const { pid } = await startServer({ root: path })
        console.log(pid)
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      `
      const bench = Bun.spawn([process.execPath, '-e', script], {
        env: { ...process.env, TMPDIR: folder.path },
        stdout: 'pipe',
      })
      const { value } = await bench.stdout.getReader().read()
      const pid = Number(new TextDecoder().decode(value))
      expect(readdirSync(folder.path)).toHaveLength(2)
      expect(isRunning(pid)).toBe(true)
      bench.kill(signal)
      expect(await bench.exited).toBe(signal === 'SIGINT' ? 130 : 143)
      expect(readdirSync(folder.path)).toEqual([])
      expect(isRunning(pid)).toBe(false)
    } finally {
      folder.remove()
    }
  },
)

test('each benchmark imports what ends its processes', () => {
  const names = readdirSync(BENCHES).filter((name) => name.endsWith('.bench.ts'))
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    expect([name, readFileSync(join(BENCHES, name), 'utf8')]).toEqual([
      name,
      expect.stringContaining("from './report.ts'"),
    ])
  }
})
