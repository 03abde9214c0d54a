/**
 * filemgr beside other servers of the same folder, in one run: nginx, copyparty and the runtime alone where they are
 * there, tar(1) and zip(1), and any server with File Browser's API by `--peer`. Servers have one core, the client the
 * other. Rounds alternate, figures are medians; budgets are of processor time, which other work on the machine disturbs least. filemgr checks a session, rights and rules for each request; of the
 * others only a given peer checks anything.
 */
import { residentMibOf } from '../support/process.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median } from './measure.ts'
import { openPeers } from './peers/all.ts'
import { OPERATIONS, type Operation } from './peers/operations.ts'
import { moveToClientCore, type Peer, type Running, run } from './peers/peer.ts'
import { PROGRAMS } from './peers/programs.ts'
import { type Usage, usageOf } from './peers/usage.ts'
import { report } from './report.ts'
import { type Cell, writeTable } from './table.ts'

const ROUNDS = 7
const OWN = 'filemgr'
/** After its start a server may tidy up, and the runtime its memory. */
const SETTLED_MS = 2000

/** Somebody who can do an operation. */
interface Runner {
  name: string
  run(): Promise<Usage>
}

const figures: Record<string, number> = {}
moveToClientCore()
using peers = await openPeers()
const { served, list } = peers
const chosen = (process.env.FILEMGR_BENCH_OPERATIONS ?? '').split(',').filter(Boolean)
if (chosen.length === 0 || chosen.includes('start')) await measureStarts()
const running = new Map<Peer, Running>()
try {
  for (const peer of list) running.set(peer, await run(peer))
  const rows: Cell[][] = []
  for (const operation of OPERATIONS) {
    if (chosen.length === 0 || chosen.includes(operation.key))
      rows.push(...(await measure(operation)))
  }
  const costs = ['CPU ms a unit', 'peak MiB']
  const head = ['operation', 'by', 'ms a unit', 'units a second', 'time to filemgr', ...costs]
  writeTable('Servers side by side', head, rows)
} finally {
  for (const { stop } of running.values()) await stop()
}
const kept = Object.entries(budgets.peers).filter(([name]) => name in figures)
report('filemgr, as a part of the processor time of a peer', Object.fromEntries(kept), figures)

/** From the start to the first answer, and the memory of a server that does nothing. */
async function measureStarts(): Promise<void> {
  const peers = list.filter(({ command }) => command)
  const found = new Map(peers.map(({ name }) => [name, { startMs: [0], idleMib: [0] }]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const peer of peers) {
      const { pid = 0, startMs, stop } = await run(peer)
      await Bun.sleep(SETTLED_MS)
      found.get(peer.name)?.startMs.splice(round, 1, startMs)
      found.get(peer.name)?.idleMib.splice(round, 1, residentMibOf(pid))
      await stop()
    }
  }
  const rows = [...found].map(([name, { startMs, idleMib }]) => {
    return [name, median(startMs.slice(1)), median(idleMib.slice(1))]
  })
  writeTable('Start and rest', ['server', 'first answer after ms', 'idle MiB'], rows)
  const [[, ownMs, ownMib] = [], ...others] = rows
  for (const [name, ms, mib] of others) {
    figures[`start to ${name}`] = Number(ownMs) / Number(ms)
    figures[`idle to ${name}`] = Number(ownMib) / Number(mib)
  }
}

/** The rows of an operation; its figures are added. */
async function measure(operation: Operation): Promise<Cell[][]> {
  const runners = [...list.flatMap((peer) => asked(peer, operation)), ...programs(operation)]
  const usages = new Map<string, Usage[]>(runners.map(({ name }) => [name, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, run } of runners) {
      const usage = await run()
      if (round > 0) usages.get(name)?.push(usage)
    }
  }
  const medianOf = (name: string, of: keyof Usage) =>
    median((usages.get(name) ?? []).map((usage) => usage[of] ?? Number.NaN))
  const own = medianOf(OWN, 'wallMs')
  const ownCpu = medianOf(OWN, 'cpuMs')
  for (const { name } of runners) {
    figures[`${operation.key} to ${name}`] = ownCpu / medianOf(name, 'cpuMs')
  }
  return runners.map(({ name }) => {
    const wallMs = medianOf(name, 'wallMs')
    const unitMs = wallMs / operation.units
    const cpuMs = medianOf(name, 'cpuMs') / operation.units
    const costs = [cpuMs, medianOf(name, 'peakMib')]
    return [operation.name, name, unitMs, 1000 / unitMs, wallMs / own, ...costs]
  })
}

function asked(peer: Peer, operation: Operation): Runner[] {
  const address = peer.targets[operation.target]
  if (address === undefined) return []
  const act = () => usageOf(running.get(peer)?.pid, () => operation.run(peer, address))
  return [{ name: peer.name, run: () => act().catch((cause) => failed(peer, operation, cause)) }]
}

/** @throws Error */
function failed(peer: Peer, operation: Operation, cause: unknown): never {
  throw new Error(`${peer.name}: ${operation.name}`, { cause })
}

function programs(operation: Operation): Runner[] {
  return PROGRAMS.filter(({ target }) => target === operation.target).flatMap(({ name, run }) =>
    Bun.which(name) ? [{ name, run: () => run(served.path) }] : [],
  )
}
