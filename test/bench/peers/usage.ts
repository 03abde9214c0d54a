/** What a process spends on a piece of work: processor time and memory, as /proc tells it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { workedBy } from '../../support/process.ts'
import { timed } from '../measure.ts'

export interface Usage {
  wallMs: number
  /** Of the process and its threads; undefined for one of another machine. */
  cpuMs?: number
  /** The most memory that was resident. */
  peakMib?: number
}

/** Runs a function, and measures what a process used while it ran. */
export async function usageOf(
  pid: number | undefined,
  work: () => Promise<unknown>,
): Promise<Usage> {
  if (pid === undefined || process.platform !== 'linux') return { wallMs: await timed(work) }
  // Sets the mark of the highest memory back to what is resident now (proc(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = workedBy(pid)
  const wallMs = await timed(work)
  return { wallMs, cpuMs: (workedBy(pid) - before) * 10, peakMib: peakMibOf(pid) }
}

function peakMibOf(pid: number): number {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1024
}
