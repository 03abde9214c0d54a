/** The manual page and the completion say what the program understands: both come from the command tree. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { envOf, flagOf } from '#server/config/options.ts'
import { STARTUP_OPTIONS } from '#server/config/startup-options.ts'
import { runFilemgr } from '../support/executable.ts'
import { temporaryFolder } from '../support/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let page: string
const run = (...words: string[]) => runFilemgr(words, { home: folder.path })
beforeAll(async () => {
  folder = temporaryFolder()
  page = (await run('man')).stdout
})
afterAll(() => folder.remove())

/** What a reader sees, or what groff has against it. */
function formatted(...options: string[]): { text: string; complaints: string } {
  const file = join(folder.path, 'filemgr.1')
  writeFileSync(file, page)
  const words = ['groff', '-man', '-Tutf8', '-rLL=200n', '-P-cbou', ...options, file]
  const { stdout, stderr } = Bun.spawnSync(words)
  return { text: stdout.toString(), complaints: stderr.toString() }
}

test('the manual has every command and every option of the start', async () => {
  const { stdout } = await run('complete', '--', '')
  const commands = stdout.trim().split('\n')
  expect(commands).toContain('import')
  for (const command of commands.filter((name) => name !== 'help')) {
    expect(page).toContain(`\n.SS filemgr ${command}`)
  }
  for (const { key } of STARTUP_OPTIONS) {
    expect(page).toContain(`\\-\\-${flagOf(key).replaceAll('-', '\\-')}`)
    expect(page).toContain(`\n.B ${envOf(key)}\n`)
  }
  expect(page).not.toContain('self\\-check')
})

test.skipIf(!Bun.which('groff'))('groff formats the manual without a complaint', () => {
  const { text, complaints } = formatted('-ww')
  expect(complaints).toBe('')
  expect(text).toContain('filemgr import [options] <files...>')
  expect(text).toMatch(/^ +--dry-run$/m)
})
