/**
 * Sets an option of JavaScriptCore, the engine of the runtime. After some thousand calls, the engine compiles a function
 * once more with its slowest compiler (FTL). In a server, this takes more processor time in the first hundred thousand
 * requests than it saves (docs/performance.md). With the option, this takes about sixteen times as many calls.
 */
import { isExecutable } from '#server/os/executable.ts'
import { restartWith } from '#server/os/restart.ts'

/** The engine reads its options from the environment, before any JavaScript runs. */
const VARIABLE = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp'
/** A call of a function counts as 15, and a turn of a loop in it as 1. The default is 64 000. */
const THRESHOLD = '1000000'

/**
 * Starts the executable again with the option if it may be a server. Other commands end too soon for it.
 *
 * @param args the arguments of the program
 */
export function restartWithEngineOptions(args: readonly string[]): void {
  if (!mayBeServer(args) || !isExecutable()) return
  if (process.env[VARIABLE] === undefined) restartWith(VARIABLE, THRESHOLD)
  // Programs that the server starts do not inherit it.
  delete process.env[VARIABLE]
}

/**
 * Whether the arguments may start a server, as `withCommand` decides. Without arguments this depends on the
 * configuration, which is not read yet.
 */
export function mayBeServer([first]: readonly string[]): boolean {
  if (first === undefined || first === 'serve') return true
  return first.startsWith('-') && !NO_SERVER.includes(first)
}

const NO_SERVER = ['-h', '--help', '-V', '--version']
