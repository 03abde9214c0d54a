/** A line for each refused or failed request, as File Browser writes it (contract 1.0.6). */
import { Fault } from '#wire/fault.ts'
import { printable } from '#wire/printable.ts'
import { openLogFile } from './log-file.ts'

export interface Logger {
  /** `2026/01/02 03:04:05 /api/login: 403 203.0.113.9 <nil>`: fail2ban filters read this. */
  refused(path: string, status: number, address: string, fault: Fault | undefined): void
  /** A line that somebody else wrote: `2026/01/02 03:04:05 after_upload: resized` */
  logLine(source: string, line: string): void
}

/**
 * @param target `stdout`, `stderr`, a file, or `off`, for which an empty text stands too
 * @throws Fault forbidden when the file cannot be written
 */
export function createLogger(target: string): Logger {
  const write = writerTo(target)
  return {
    refused(path, status, address, fault) {
      const cause = fault?.code === 'internal' ? describe(fault.cause) : (fault?.message ?? '<nil>')
      const [where, why] = [printable(path.slice(0, PATH_MAX)), printable(cause.slice(0, PART_MAX))]
      write(`${stamp(new Date())} ${where}: ${status} ${address} ${why}\n`)
    },
    logLine(source, line) {
      write(`${stamp(new Date())} ${source}: ${printable(line.slice(0, PART_MAX))}\n`)
    },
  }
}

function writerTo(target: string): (line: string) => void {
  if (target === '' || target === 'off') return () => undefined
  if (target === 'stdout' || target === 'stderr') {
    return (line) => void process[target].write(line)
  }
  try {
    return openLogFile(target)
  } catch (cause) {
    throw new Fault('forbidden', `The log file ${target} cannot be written.`, { cause })
  }
}

/** Local time, as Go's logger prints it. */
function stamp(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('/')
  return `${date} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':')}`
}

/** No line is longer than this, whatever somebody sent: characters of each part. */
const PART_MAX = 4096
const PATH_MAX = 512

function describe(cause: unknown): string {
  return cause instanceof Error
    ? `${cause.name}: ${cause.message} ${cause.stack ?? ''}`
    : String(cause)
}
