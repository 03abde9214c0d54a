/** The entry point. It loads the rest of the program only after the restart, because the restart would load it twice. */
import { restartWithEngineOptions } from './engine-options.ts'

restartWithEngineOptions(process.argv.slice(2))
const { run } = await import('./run.ts')
await run()
