/** The options that are fixed at start, in the order of the help. */
import { COMMAND_OPTIONS } from './command-options.ts'
import { FILES_OPTIONS } from './files-options.ts'
import { IMPORT_OPTIONS } from './import-options.ts'
import { RECORD_OPTIONS } from './record-options.ts'
import { SERVING_OPTIONS } from './serving-options.ts'
import { SIGN_IN_OPTIONS } from './sign-in-options.ts'
import { TRASH_OPTIONS } from './trash-options.ts'

export const STARTUP_OPTIONS = [
  ...SERVING_OPTIONS,
  ...FILES_OPTIONS,
  ...SIGN_IN_OPTIONS,
  ...COMMAND_OPTIONS,
  ...RECORD_OPTIONS,
  ...TRASH_OPTIONS,
  ...IMPORT_OPTIONS,
] as const
