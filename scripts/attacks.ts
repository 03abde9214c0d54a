/** `npm run attacks`: plays every attack of the catalogue on the executable. */
import { become, EXECUTABLE, mustBeBuilt } from './executable.ts'

mustBeBuilt()
await become([EXECUTABLE, 'doctor', '--attack'])
