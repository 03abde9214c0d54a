/** What macOS tells about processes only by its programs. Both are a part of the system, and have fixed places. */

const PS = '/bin/ps'
const SYSCTL = '/usr/sbin/sysctl'
const TIMEOUT_MS = 5000

/** @returns when a process started, in milliseconds since 1970; 0 if there is none, or it is unknown */
export function startedMs(pid: number): number {
  return msOf(outputOf(PS, ['-o', 'lstart=', '-p', String(pid)]))
}

/** @returns an id of the running system, new at each start of the machine; empty if it is unknown */
export function bootId(): string {
  return outputOf(SYSCTL, ['-n', 'kern.bootsessionuuid'])
}

/** @param text as `Mon Nov 30 05:56:50 2026`, in the time zone of this process */
function msOf(text: string): number {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? 0 : ms
}

/** @returns what a program prints, without the line end; empty if it fails */
function outputOf(program: string, args: string[]): string {
  // In other languages the date has other names of days and months.
  const env = { ...process.env, LC_ALL: 'C' }
  const { success, stdout } = Bun.spawnSync([program, ...args], { env, timeout: TIMEOUT_MS })
  return success ? stdout.toString().trim() : ''
}
