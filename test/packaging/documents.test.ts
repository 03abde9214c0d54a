/**
 * The documents say what works: their `sh` blocks run, one document's after the other's in a folder of its
 * own; `shell` blocks need a network, another server or a real system, and their commands are only looked up.
 */
import { describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { cleanEnv, filemgr, REPO_ROOT, runFilemgr } from '../support/executable.ts'
import { temporaryFolder } from '../support/tree.ts'

const DOCUMENTS = [
  'README.md',
  ...readdirSync(join(REPO_ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const textOf = (path: string) => readFileSync(join(REPO_ROOT, path), 'utf8')

/** The code blocks of a kind. */
function blocksOf(path: string, kind: string): string[] {
  const blocks = textOf(path).matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\`$`, 'gm'))
  return [...blocks].map(([, code = '']) => code)
}

/** `serve` goes on while the next command runs: it is ended as soon as it says where it listens. */
const PRELUDE = `set -eu
filemgr() {
  if [ "$1" != serve ]; then command filemgr "$@"; return; fi
  command filemgr "$@" --port 0 > served 2>&1 &
  until grep -q '^http' served; do kill -0 $! || { cat served; exit 1; }; sleep 0.05; done
  kill $!
  wait $!
}
`

/** What a document begins with that does not begin at the start. */
const BEFORE: Record<string, string> = { 'docs/sharing.md': 'filemgr config init\n' }

describe.each(DOCUMENTS.filter((path) => path !== 'README.md'))('%s', (path) => {
  const code = blocksOf(path, 'sh').join('')
  test.skipIf(code === '')(
    'its commands run',
    async () => {
      const folder = temporaryFolder()
      if (path === 'docs/migrate.md') {
        const sample = join(REPO_ROOT, 'test/fixtures/filebrowser.db')
        copyFileSync(sample, join(folder.path, 'filebrowser.db'))
      }
      const [program, ...words] = filemgr()
      const script = `${PRELUDE}${BEFORE[path] ?? ''}${code}`
      await Bun.write(
        join(folder.path, 'bin', 'filemgr'),
        `#!/bin/sh\nexec ${[program, ...words].join(' ')} "$@"\n`,
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
    const blocks = ['sh', 'shell'].flatMap((kind) => blocksOf(path, kind))
    const lines = blocks.join('').replaceAll('\\\n', ' ').split('\n')
    const own = lines.flatMap((line) => /(?:^|\| )(filemgr .*)/.exec(line)?.[1] ?? [])
    const unknown = own.flatMap((line) =>
      [...line.replace(/#.*/, '').matchAll(/ (--[a-zA-Z.-]+)/g)]
        .map(([, flag = '']) => flag)
        .filter(
          (flag) =>
            !known.includes(`${flag} `) && !known.includes(`${flag}\n`) && flag !== '--help',
        ),
    )
    expect(unknown).toEqual([])
  })

  test('every file that the document links to is there', () => {
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
