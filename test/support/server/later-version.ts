/** The program of a later version, whose schema has more steps: the sources with these, run by the pinned Bun. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from './executable.ts'

const PARTS = ['cli', 'server', 'package.json', 'tsconfig.json']

/**
 * @param folder an empty one, for the program
 * @param steps SQL
 * @param options `needed`: the steps that a program must know to use the tables
 */
export function laterVersion(
  folder: string,
  steps: readonly string[],
  { needed }: { needed: 'as before' | 'all' },
): [program: string, ...args: string[]] {
  for (const part of PARTS) cpSync(join(REPO_ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(REPO_ROOT, 'node_modules'), join(folder, 'node_modules'))
  const path = join(folder, 'server/db/migrations.ts')
  const source = readFileSync(path, 'utf8')
  const added = source
    .replace(/\n\]\n/, () => `\n${steps.map((step) => `  \`${step}\`,\n`).join('')}]\n`)
    .replace(/NEEDED_STEPS = .*/, (line) =>
      needed === 'all' ? 'NEEDED_STEPS = MIGRATIONS.length' : line,
    )
  if (added === source) throw new Error(`${path} has another form.`)
  writeFileSync(path, added)
  return [join(REPO_ROOT, 'node_modules/.bin/bun'), join(folder, 'cli/main.ts')]
}
