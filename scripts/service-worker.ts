/** Builds the service worker, `ui/dist/sw.js`, with the list of files that the page needs to start. */
import { join } from 'node:path'
import type { Rollup } from 'vite'
import { REPO_ROOT } from './repo-root.ts'

type Output = Rollup.RollupOutput['output'][number]

/** @throws Error if the service worker does not build, or `outputs` has no entry */
export async function writeServiceWorker(outputs: readonly Output[]): Promise<void> {
  const shell = shellOf(outputs)
  // The names contain hashes of the contents.
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

/** The files without which the page cannot start (the app shell), relative to ui/dist. */
function shellOf(outputs: readonly Output[]): string[] {
  const chunks = new Map(
    outputs.filter((output) => output.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  )
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The interface has no entry.')
  const needed = new Set([entry.fileName])
  // The loop also visits the names that it adds.
  for (const name of needed) {
    const { imports = [], viteMetadata } = chunks.get(name) ?? {}
    for (const other of [...imports, ...(viteMetadata?.importedCss ?? [])]) needed.add(other)
  }
  return [...needed]
}
