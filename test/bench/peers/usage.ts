/** The time, processor time and memory that a server needs for some work, from /proc. */
import { readFileSync, writeFileSync } from 'node:fs'
import { workedBy } from '../../support/server/process.ts'
import { timed } from '../measure.ts'

/** `workedBy` returns hundredths of a second. */
const MS_PER_TICK = 10

export interface Usage {
  wallMs: number
  /** Of the process and its threads, in steps of 10 ms; undefined if the process is not known. */
  cpuMs?: number
  /** The highest resident memory. */
  peakMib?: number
}

/** Runs a function, and measures what a process uses during that time. `pid` is undefined if it is not known. */
export async function usageOf(
  pid: number | undefined,
  work: () => Promise<unknown>,
): Promise<Usage> {
  if (pid === undefined || process.platform !== 'linux') return { wallMs: await timed(work) }
  // Resets the highest memory to the present one (proc(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = workedBy(pid)
  const wallMs = await timed(work)
  return { wallMs, cpuMs: (workedBy(pid) - before) * MS_PER_TICK, peakMib: peakMibOf(pid) }
}

function peakMibOf(pid: number): number {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}
