/** `npm run modules`: writes the table of modules in ARCHITECTURE.md from `modules.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/executable.ts'
import { withTable } from './table.ts'

const path = join(REPO_ROOT, 'ARCHITECTURE.md')
writeFileSync(path, withTable(readFileSync(path, 'utf8')))
