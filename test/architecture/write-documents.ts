/**
 * `npm run modules`: writes the generated documents (generated.ts), and lists long functions, long
 * classes and tiny files.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'
import { GENERATED } from './generated.ts'
import { longCode, tinyFiles } from './lengths.ts'
import { sources } from './sources.ts'

for (const [name, generate] of Object.entries(GENERATED)) {
  const path = join(REPO_ROOT, name)
  writeFileSync(path, generate(readFileSync(path, 'utf8')))
}

const code = sources('*.{ts,tsx}').filter((source) => !source.path.endsWith('.d.ts'))
list('functions over 60 lines, components over 80, classes over 400', longCode(code))
list('files with one small function and one importer', tinyFiles(code))

function list(title: string, lines: string[]): void {
  process.stdout.write(
    `\n${lines.length} ${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`,
  )
}
