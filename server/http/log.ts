/** A line for each refused or failed request, as File Browser writes it (contract 1.0.6). */
import type { Fault } from '#wire/fault.ts'

export type LogTarget = 'stdout' | 'stderr' | 'off'

export interface Logger {
  /** `2026/01/02 03:04:05 /api/login: 403 203.0.113.9 <nil>`: fail2ban filters read this. */
  refused(path: string, status: number, address: string, fault: Fault | undefined): void
}

export function createLogger(target: LogTarget): Logger {
  return {
    refused(path, status, address, fault) {
      if (target === 'off') return
      const cause = fault?.code === 'internal' ? describe(fault.cause) : (fault?.message ?? '<nil>')
      write(
        target,
        `${stamp(new Date())} ${printable(path)}: ${status} ${address} ${printable(cause)}\n`,
      )
    },
  }
}

function write(target: LogTarget, line: string): void {
  const stream = target === 'stdout' ? process.stdout : process.stderr
  stream.write(line)
}

/** Local time, as Go's logger prints it. */
function stamp(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('/')
  return `${date} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':')}`
}

/** Nobody writes a second line into the log by a clever path. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?')
}

function describe(cause: unknown): string {
  return cause instanceof Error
    ? `${cause.name}: ${cause.message} ${cause.stack ?? ''}`
    : String(cause)
}
