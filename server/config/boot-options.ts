/** What the operator decides before the start; it holds as long as the process runs. Help shows it in this order. */
import { COMMAND_OPTIONS } from './command-options.ts'
import { FILES_OPTIONS } from './files-options.ts'
import { RECORD_OPTIONS } from './record-options.ts'
import { SERVING_OPTIONS } from './serving-options.ts'
import { SIGN_IN_OPTIONS } from './sign-in-options.ts'
import { TRASH_OPTIONS } from './trash-options.ts'

export const BOOT_OPTIONS = [
  ...SERVING_OPTIONS,
  ...FILES_OPTIONS,
  ...SIGN_IN_OPTIONS,
  ...COMMAND_OPTIONS,
  ...RECORD_OPTIONS,
  ...TRASH_OPTIONS,
] as const
