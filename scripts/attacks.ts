/** `npm run attacks`: runs every attack against the executable. */
import { EXECUTABLE, mustBeBuilt, runInTerminal } from './executable.ts'

mustBeBuilt()
await runInTerminal([EXECUTABLE, 'doctor', '--attack'])
