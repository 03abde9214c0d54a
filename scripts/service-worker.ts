/** The service worker of the built interface: `ui/dist/sw.js`, which knows what the page is made of. */
import { join } from 'node:path'
import type { Rollup } from 'vite'
import { REPO_ROOT } from './repo-root.ts'

type Output = Rollup.RollupOutput['output'][number]

/** @throws Error when it does not build, or the interface has no entry */
export async function writeServiceWorker(outputs: readonly Output[]): Promise<void> {
  const shell = shellOf(outputs)
  const digest = new Bun.CryptoHasher('sha256').update(shell.join('\n')).digest('hex').slice(0, 16)
  await Bun.build({
    entrypoints: [join(REPO_ROOT, 'ui/worker/sw.ts')],
    outdir: join(REPO_ROOT, 'ui/dist'),
    target: 'browser',
    format: 'iife',
    minify: true,
    define: { SHELL: JSON.stringify(shell), SHELL_DIGEST: JSON.stringify(digest) },
  })
}

/** What the page cannot show itself without, relative to ui/dist; the entry first. */
function shellOf(outputs: readonly Output[]): string[] {
  const chunks = new Map(
    outputs.filter((output) => output.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  )
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The interface has no entry.')
  const needed = new Set([entry.fileName])
  // A set that grows while it is walked is walked to its end.
  for (const name of needed) {
    const { imports = [], viteMetadata } = chunks.get(name) ?? {}
    for (const other of [...imports, ...(viteMetadata?.importedCss ?? [])]) needed.add(other)
  }
  return [...needed]
}
