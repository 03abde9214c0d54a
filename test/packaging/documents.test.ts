/**
 * The commands in README.md and docs/ work. The `sh` blocks of each document in docs/ run in order, in one folder.
 * `shell` blocks need a network, another server or a real system, so only their options are checked.
 */
import { describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { cleanEnv, filemgr, REPO_ROOT, runFilemgr } from '../support/server/executable.ts'

const DOCUMENTS = [
  'README.md',
  ...readdirSync(join(REPO_ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const textOf = (path: string) => readFileSync(join(REPO_ROOT, path), 'utf8')

/** The code blocks of a document in a language, such as `sh`. */
function blocksOf(path: string, language: string): string[] {
  const blocks = textOf(path).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))
  return [...blocks].map(([, code = '']) => code)
}

/** A shell function in place of `filemgr`. It runs `serve` in the background, and stops it when it has printed its URL. */
const PRELUDE = `set -eu
filemgr() {
  if [ "$1" != serve ]; then command filemgr "$@"; return; fi
  command filemgr "$@" --port 0 > served 2>&1 &
  until grep -q '^http' served; do kill -0 $! || { cat served; exit 1; }; sleep 0.05; done
  kill $!
  wait $!
}
`

/** Commands that must run before the first command of a document. */
const SETUP: Record<string, string> = { 'docs/sharing.md': 'filemgr config init\n' }

describe.each(DOCUMENTS.filter((path) => path !== 'README.md'))('%s', (path) => {
  const code = blocksOf(path, 'sh').join('')
  test.skipIf(code === '')(
    'the commands of the document succeed',
    async () => {
      const folder = temporaryFolder()
      if (path === 'docs/migrate.md') {
        const sample = join(REPO_ROOT, 'test/fixtures/filebrowser.db')
        copyFileSync(sample, join(folder.path, 'filebrowser.db'))
      }
      const [program, ...args] = filemgr()
      const script = `${PRELUDE}${SETUP[path] ?? ''}${code}`
      await Bun.write(
        join(folder.path, 'bin', 'filemgr'),
        `#!/bin/sh\nexec ${[program, ...args].join(' ')} "$@"\n`,
      )
      Bun.spawnSync(['chmod', '755', join(folder.path, 'bin', 'filemgr')])
      const PATH = `${join(folder.path, 'bin')}:${process.env.PATH ?? ''}`
      const child = Bun.spawn(['bash', '-c', script], {
        cwd: folder.path,
        env: cleanEnv(folder.path, { PATH }),
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const output = await Promise.all(
        [child.stdout, child.stderr].map((s) => new Response(s).text()),
      )
      expect([await child.exited, output.join('')]).toEqual([0, expect.any(String)])
      folder.remove()
    },
    60_000,
  )
})

describe.each(DOCUMENTS)('%s', (path) => {
  test('every option that the document names exists', async () => {
    const home = temporaryFolder()
    const { stdout: manual } = await runFilemgr(['man'], { home: home.path })
    home.remove()
    const known = manual.replaceAll('\\-', '-')
    const blocks = ['sh', 'shell'].flatMap((language) => blocksOf(path, language))
    const lines = blocks.join('').replaceAll('\\\n', ' ').split('\n')
    const commands = lines.flatMap((line) => /(?:^|\| )(filemgr .*)/.exec(line)?.[1] ?? [])
    const unknown = commands.flatMap((line) =>
      [...line.replace(/#.*/, '').matchAll(/ (--[a-zA-Z.-]+)/g)]
        .map(([, flag = '']) => flag)
        .filter(
          (flag) =>
            !known.includes(`${flag} `) && !known.includes(`${flag}\n`) && flag !== '--help',
        ),
    )
    expect(unknown).toEqual([])
  })

  test('every file that the document links to exists', () => {
    const links = [
      ...textOf(path).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g),
      ...textOf(path).matchAll(/ src(?:set)?="([^"]+)"/g),
    ]
    const missing = links
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(resolve(REPO_ROOT, dirname(path), target)))
    expect(missing).toEqual([])
  })
})
