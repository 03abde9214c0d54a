/** The manual page has all commands and startup options, and groff formats it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { envOf, flagOf } from '#server/config/options.ts'
import { STARTUP_OPTIONS } from '#server/config/startup-options.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { runFilemgr } from '../support/server/executable.ts'

let folder: ReturnType<typeof temporaryFolder>
let page: string
const run = (...args: string[]) => runFilemgr(args, { home: folder.path })
beforeAll(async () => {
  folder = temporaryFolder()
  page = (await run('man')).stdout
})
afterAll(() => folder.remove())

/** The formatted page, and the warnings of groff. */
function formatted(...options: string[]): { text: string; warnings: string } {
  const file = join(folder.path, 'filemgr.1')
  writeFileSync(file, page)
  const command = ['groff', '-man', '-Tutf8', '-rLL=200n', '-P-cbou', ...options, file]
  const { stdout, stderr } = Bun.spawnSync(command)
  return { text: stdout.toString(), warnings: stderr.toString() }
}

test('the manual has every command of the help, and every startup option', async () => {
  const commands = await leafCommands()
  expect(commands).toContain('import')
  expect(commands).toContain('users add')
  for (const command of commands) {
    const name = command.replaceAll('-', '\\\\-')
    expect(page).toMatch(new RegExp(`^\\.SS filemgr ${name}( |$)`, 'm'))
  }
  for (const { key } of STARTUP_OPTIONS) {
    const flag = `--${flagOf(key)}`.replaceAll('-', '\\\\-')
    expect(page).toMatch(new RegExp(`${flag}(?![a-z\\\\])`))
    expect(page).toContain(`\n.B ${envOf(key)}\n`)
  }
  expect(page).not.toContain('self\\-check')
})

/** The commands without subcommands, as the help lists them. */
async function leafCommands(): Promise<string[]> {
  const leaves = (await commandsBelow()).map(async (name) => {
    const subcommands = await commandsBelow(name)
    // The help of `serve` is that of the program.
    return subcommands.length === 0 || name === 'serve'
      ? [name]
      : subcommands.map((below) => `${name} ${below}`)
  })
  return (await Promise.all(leaves)).flat()
}

async function commandsBelow(...command: string[]): Promise<string[]> {
  const { stdout } = await run(...command, '--help')
  const [, list = ''] = /\nCommands:\n(.*?)\n\n/s.exec(`${stdout}\n\n`) ?? []
  const names = [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name)
  return names.filter((name) => name !== 'help')
}

test('an option with a fixed set of values lists them', () => {
  expect(page).toContain('\nhow folders are shown: list, mosaic, mosaic gallery\n')
  expect(page).toContain('\nmay run commands\n')
})

test('characters that users copy are escaped, so that no version of troff prints others', () => {
  expect(page).not.toMatch(/[`^~]/)
  expect(page).toContain('\n.I \\(ti/.local/share/filemgr/filemgr.db\n')
  expect(page).toContain('\\(gafilemgr hash\\(ga')
})

test.skipIf(!Bun.which('groff'))('groff formats the manual without a warning', () => {
  const { text, warnings } = formatted('-ww')
  expect(warnings).toBe('')
  expect(text).toContain('filemgr import [options] <files...>')
  expect(text).toMatch(/^ +--dry-run$/m)
  expect(text).toMatch(/^ +~\/\.local\/share\/filemgr\/filemgr\.db$/m)
  expect(text).toContain('`filemgr hash`')
})
