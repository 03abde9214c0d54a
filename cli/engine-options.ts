/**
 * Sets an option of JavaScriptCore, the engine of the runtime. After about a thousand calls, the engine compiles a
 * function once more with its slowest compiler (FTL). In a server, this takes more processor time in the first hundred
 * thousand requests than it saves (docs/performance.md). The option makes the threshold ten times as high.
 */
import { isExecutable } from '#server/os/executable.ts'
import { restartWith } from '#server/os/restart.ts'

/** The engine reads its options from the environment, before any JavaScript runs. */
const VARIABLE = 'BUN_JSC_thresholdForFTLOptimizeAfterWarmUp'
/** The default is 100 000. */
const THRESHOLD = '1000000'

/**
 * Starts the executable again with the option if it is a server. Other commands end too soon for it.
 *
 * @param args the arguments of the program; without a command they are those of a server
 */
export function restartWithEngineOptions([command]: readonly string[]): void {
  const isServer = command === undefined || command === 'serve' || command.startsWith('-')
  if (!isServer || !isExecutable()) return
  if (process.env[VARIABLE] === undefined) restartWith(VARIABLE, THRESHOLD)
  // Programs that the server starts do not inherit it.
  delete process.env[VARIABLE]
}
