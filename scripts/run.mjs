/** Runs scripts/NAME.ts, or another file of the repository, with the pinned Bun: `node scripts/run.mjs NAME [arguments]`. */
import { join } from 'node:path'
import { BUN, bootstrap, REPO_ROOT } from './bootstrap.mjs'
import { become } from './spawned.mjs'

const [name = '', ...args] = process.argv.slice(2)
await bootstrap()
const file = name.includes('/') ? name : `scripts/${name}.ts`
become(BUN, [join(REPO_ROOT, file), ...args], REPO_ROOT)
