/** exit_group(2): ends the process at once, also if a thread of it waits for a disk, for which `process.exit` waits. */
import { call } from './libc.ts'

/** @param code the exit code */
export function endProcess(code: number): never {
  try {
    call('exit_group', code)
  } catch {
    // Not on this system.
  }
  process.exit(code)
}
