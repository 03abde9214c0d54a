/** Where the configuration file of File Browser and this server's database are searched (docs/api.md 9.3, 9.6). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { REPO_ROOT, runFilemgr } from '../support/server/executable.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  for (const name of ['home', 'work', 'srv']) mkdirSync(at(name))
})
afterEach(() => folder.remove())

const at = (...names: string[]) => join(folder.path, ...names)
const run = (words: string[], cwd: string, env: Record<string, string> = {}) =>
  runFilemgr(words, { home: at('home'), cwd, env })
const FILE = '.filebrowser.json'
/** The port and its source if the program runs in a folder: `9123 file`. */
async function portIn(cwd: string, ...words: string[]): Promise<string> {
  const { stdout, stderr } = await run(['config', 'cat', '--json', ...words], cwd)
  if (stdout === '') return stderr
  const rows: { key: string; value: unknown; origin: string }[] = JSON.parse(stdout)
  const port = rows.find(({ key }) => key === 'port')
  return `${port?.value} ${port?.origin}`
}

describe('a configuration file of File Browser in the working folder', () => {
  const write = (value: unknown, ...names: string[]) =>
    writeFileSync(at(...names, FILE), JSON.stringify(value), { mode: 0o644 })

  test('a configuration file of File Browser in the working folder is read', async () => {
    write({ port: 9123, root: at('srv') }, 'work')
    expect(await portIn(at('work'))).toBe('9123 file')
    write({ port: 9124 }, 'work')
    expect(await portIn(at('work'), '--root', at('srv'))).toBe('9124 file')
  })

  test('a configuration file is not read in a folder that is or was served, because users may have written it', async () => {
    write({ port: 9123 }, 'srv')
    mkdirSync(at('srv/below'))
    write({ port: 9123, root: at('work') }, 'srv/below')
    const unread = async (cwd: string, ...words: string[]) => {
      expect(await portIn(cwd, ...words)).toBe('8080 default')
    }
    // The folder is served as the working folder, by --root, below --root, and by the root in the file itself.
    await unread(at('srv'))
    await unread(at('srv'), '--root', at('srv'))
    await unread(at('srv/below'), '--root', at('srv'))
    write({ port: 9123, root: '..' }, 'srv/below')
    await unread(at('srv/below'))
    write({ port: 9123, root: at('work') }, 'srv/below')
    mkdirSync(at('srv/.filemgr'))
    await unread(at('srv/below'))
    const notified = await run(['serve', at('none')], at('srv/below'))
    expect(notified.stderr).toContain(`${FILE} is not read`)
  })

  test('a configuration file in the served folder is not even parsed', async () => {
    writeFileSync(at('srv', FILE), '{')
    expect(await portIn(at('srv'), '--root', at('srv'))).toBe('8080 default')
  })

  test('a configuration file is not read if other accounts of the machine may write it', async () => {
    write({ port: 9123, root: at('srv') }, 'work')
    chmodSync(at('work', FILE), 0o666)
    expect(await portIn(at('work'))).toBe('8080 default')
    chmodSync(at('work', FILE), 0o644)
    expect(await portIn(at('work'))).toBe('9123 file')
  })

  test('a configuration file of the account takes precedence over one in the working folder', async () => {
    mkdirSync(at('home/.config/filemgr'), { recursive: true })
    writeFileSync(at('home/.config/filemgr/config.yaml'), 'port: 9000\n')
    write({ port: 9123, root: at('srv') }, 'work')
    expect(await portIn(at('work'))).toBe('9000 file')
  })
})

const isRoot = process.getuid?.() === 0

test.if(isRoot)(
  'a server whose account has the home folder / stores the database in the working folder, and finds it again',
  async () => {
    chmodSync(folder.path, 0o755)
    for (const name of ['work', 'srv']) chownSync(at(name), 1000, 1000)
    const executable = at('filemgr')
    copyFileSync(process.env.FILEMGR_BIN ?? join(REPO_ROOT, 'dist/filemgr'), executable)
    chmodSync(executable, 0o755)
    const as = ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups', executable] as const
    const start = () =>
      new Promise<string>((done) => {
        const child = Bun.spawn([...as, 'serve', at('srv'), '--port', '0'], {
          cwd: at('work'),
          env: { PATH: process.env.PATH ?? '', HOME: '/', TMPDIR: at('work') },
          stdout: 'pipe',
          stderr: 'pipe',
        })
        void (async () => {
          let answer = ''
          for await (const part of child.stdout) {
            answer += new TextDecoder().decode(part)
            if (/^http.*\n/m.test(answer)) break
          }
          child.kill('SIGTERM')
          done(`${answer}${await new Response(child.stderr).text()} ended ${await child.exited}`)
        })()
      })
    const first = await start()
    expect(first).toContain('http://127.0.0.1:')
    expect(first).toContain(`The database is ${at('work/filemgr.db')}`)
    expect(first).toContain('ended 0')
    expect(existsSync(at('work/filemgr.db'))).toBe(true)
    expect(await start()).not.toContain('Administrator')
  },
)
