/** Logs refused and failed requests, in File Browser's format (docs/api.md 1.0.6) or as JSON. */

import { printable } from '#server/lib/printable.ts'
import { Fault } from '#wire/fault.ts'
import { openLogFile } from './log-file.ts'

export type LogFormat = 'text' | 'json'

export interface Logger {
  /** Logs a refused request: `2026/01/02 03:04:05 /api/login: 403 203.0.113.9 <nil>`, which fail2ban filters read. */
  refused(path: string, status: number, address: string, fault: Fault | undefined): void
  /** Logs a line of another program: `2026/01/02 03:04:05 after_upload: resized` */
  logLine(source: string, line: string): void
  /**
   * Changes target and format.
   *
   * @throws as `createLogger`; the old target stays in use then
   */
  redirect(target: string, format: LogFormat): void
}

/** One log entry, in either format. */
interface LogEntry {
  source: string
  message: string
  /** For requests. */
  status?: number
  address?: string
}

/**
 * @param target `stdout`, `stderr`, a file, or `off` or an empty text for none
 * @throws Fault forbidden if the file cannot be written
 */
export function createLogger(target: string, format: LogFormat = 'text'): Logger {
  let write = writerTo(target)
  let lineOf = FORMATS[format]
  return {
    refused(path, status, address, fault) {
      const [source, message] = [path.slice(0, PATH_MAX), messageOf(fault).slice(0, PART_MAX)]
      write(`${lineOf({ source, message, status, address }, new Date())}\n`)
    },
    logLine(source, line) {
      write(`${lineOf({ source, message: line.slice(0, PART_MAX) }, new Date())}\n`)
    },
    redirect(nextTarget, nextFormat) {
      write = writerTo(nextTarget)
      lineOf = FORMATS[nextFormat]
    },
  }
}

const FORMATS: Record<LogFormat, (entry: LogEntry, now: Date) => string> = {
  text({ source, message, status, address }, now) {
    const request = status === undefined ? '' : `${status} ${address} `
    return `${stamp(now)} ${printable(source)}: ${request}${printable(message)}`
  },
  json({ source, message, ...request }, now) {
    const [from, text] = [printable(source), printable(message)]
    return JSON.stringify({ time: now.toISOString(), source: from, message: text, ...request })
  },
}

function writerTo(target: string): (line: string) => void {
  if (target === '' || target === 'off') return () => undefined
  if (target === 'stdout' || target === 'stderr') {
    // Lines are not awaited: a log must not delay a request.
    return (line) => void process[target].write(line)
  }
  try {
    return openLogFile(target)
  } catch (cause) {
    throw new Fault('forbidden', `The log file ${target} cannot be written.`, { cause })
  }
}

/** Local time in the format of Go's logger. */
function stamp(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('/')
  return `${date} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':')}`
}

/** The most characters of a message, and of a path. */
const PART_MAX = 4096
const PATH_MAX = 512

/** Reasons of faults of other servers: providers and directories. Only their cause says what is wrong there. */
const OF_OTHER_SERVER = /^(?:provider|directory)/

function messageOf(fault: Fault | undefined): string {
  if (fault?.code === 'internal') return describe(fault.cause)
  const message = fault?.message ?? '<nil>'
  if (!fault?.reason || !OF_OTHER_SERVER.test(fault.reason)) return message
  return [message, ...causesOf(fault)].join(' ')
}

/** The messages of the causes of an error, without their stacks. */
function causesOf({ cause }: Error): string[] {
  if (!(cause instanceof Error)) return cause === undefined ? [] : [String(cause)]
  return [cause.message, ...causesOf(cause)]
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { stack = '' } = cause
  // The stack of most errors begins with their message.
  return stack.includes(cause.message) ? stack : `${cause} ${stack}`
}
