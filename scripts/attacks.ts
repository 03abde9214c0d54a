/** `npm run attacks`: plays every attack of the catalogue on the executable. */
import { EXECUTABLE, execAndExit, mustBeBuilt } from './executable.ts'

mustBeBuilt()
await execAndExit([EXECUTABLE, 'doctor', '--attack'])
