/**
 * Compares filemgr with other servers of the same files: nginx, rclone, copyparty, the runtime without filemgr and
 * @tus/server; with the programs tar(1), zip(1) and pigz(1); and with a server that has the API of File Browser (`--peer`).
 * If the machine has two cores and taskset(1), the servers use one and the client the other. Rounds alternate, and
 * figures are medians. Budgets of operations are ratios of processor time, which other work on the machine changes least.
 * filemgr checks a session, rights and rules for each request; of the others, only the server of `--peer` checks anything.
 * `FILEMGR_BENCH_OPERATIONS=start,upload` measures only these operations.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { residentMibOf } from '../support/server/process.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median } from './measure.ts'
import { openPeers } from './peers/all.ts'
import { type NewFolder, OPERATIONS, type Operation, sendAll } from './peers/operations.ts'
import { moveToClientCore, type Peer, type RunningPeer, startPeer } from './peers/peer.ts'
import { PROGRAMS } from './peers/programs.ts'
import { type Usage, usageOf } from './peers/usage.ts'
import { report } from './report.ts'
import { type Cell, writeTable } from './table.ts'

const START_ROUNDS = 7
/** The name of the server with which the others are compared. */
const OWN = 'filemgr'
/** Until then, a server releases memory that only its start needs. */
const SETTLED_MS = 2000

/** A server or a program that can do an operation. */
interface Runner {
  name: string
  run(): Promise<Usage>
}

const figures: Record<string, number> = {}
const chosen = chosenOperations()
moveToClientCore()
using peers = await openPeers()
const { served, list } = peers
if (chosen.includes('start')) await measureStarts()
const running = new Map<Peer, RunningPeer>()
try {
  for (const peer of list) running.set(peer, await startPeer(peer))
  const rows: Cell[][] = []
  for (const operation of OPERATIONS) {
    if (chosen.includes(operation.key)) rows.push(...(await measure(operation)))
  }
  const costs = ['CPU ms a unit', 'peak MiB']
  const head = ['operation', 'by', 'ms a unit', 'units a second', 'time / filemgr’s', ...costs]
  const part = isComplete() ? '' : `: ${chosen.join(', ')}`
  if (rows.length > 0) writeTable(`Servers side by side${part}`, head, rows)
} finally {
  for (const { stop } of running.values()) await stop()
}
report('filemgr, divided by a peer', measuredBudgets(), figures)

/**
 * The keys of the operations to measure; all unless the environment names some.
 *
 * @throws Error for an unknown key
 */
function chosenOperations(): string[] {
  const all = ['start', ...OPERATIONS.map(({ key }) => key)]
  const given = (process.env.FILEMGR_BENCH_OPERATIONS ?? '').split(',').filter(Boolean)
  const unknown = given.filter((key) => !all.includes(key))
  if (unknown.length > 0) throw new Error(`Unknown operations: ${unknown}. Known: ${all}.`)
  return given.length === 0 ? all : given
}

function isComplete(): boolean {
  return chosen.length === OPERATIONS.length + 1
}

/** The budgets of the chosen operations and of the peers that are installed. */
function measuredBudgets(): Record<string, number> {
  const names = new Set(list.map(({ name }) => name))
  const measured = Object.entries(budgets.peers).filter(([key]) => {
    const [operation = '', peer = ''] = key.split(' to ')
    return chosen.includes(operation) && names.has(peer)
  })
  return Object.fromEntries(measured)
}

/**
 * Measures the time from the start to the first response, and the memory of an idle server, of the peers that serve the
 * small files and are started here. filemgr with relaxed durability has only uploads, and starts like the other filemgr.
 */
async function measureStarts(): Promise<void> {
  const starters = list.filter(({ command, targets }) => command && targets.small)
  const figuresOf = new Map(
    starters.map(({ name }) => [name, { startMs: [] as number[], idleMib: [] as number[] }]),
  )
  for (let round = 0; round <= START_ROUNDS; round += 1) {
    for (const peer of starters) {
      const { pid = 0, startMs, stop } = await startPeer(peer)
      try {
        await Bun.sleep(SETTLED_MS)
        // The first start reads the program from the disk, and is not counted.
        if (round === 0) continue
        figuresOf.get(peer.name)?.startMs.push(startMs)
        figuresOf.get(peer.name)?.idleMib.push(residentMibOf(pid))
      } finally {
        await stop()
      }
    }
  }
  const rows = [...figuresOf].map(([name, { startMs, idleMib }]) => {
    return [name, median(startMs), median(idleMib)]
  })
  writeTable('Start and idle', ['server', 'first response after ms', 'idle MiB'], rows)
  const [[, ownMs, ownMib] = [], ...others] = rows
  for (const [name, ms, mib] of others) {
    figures[`start to ${name}`] = Number(ownMs) / Number(ms)
    figures[`idle to ${name}`] = Number(ownMib) / Number(mib)
  }
}

/** Measures an operation by each runner. @returns its rows of the table */
async function measure(operation: Operation): Promise<Cell[][]> {
  const runners = [
    ...list.flatMap((peer) => serverRunners(peer, operation)),
    ...programRunners(operation),
  ]
  const usages = new Map<string, Usage[]>(runners.map(({ name }) => [name, []]))
  for (let round = 0; round <= operation.rounds; round += 1) {
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

function serverRunners(peer: Peer, operation: Operation): Runner[] {
  const address = peer.targets[operation.target]
  if (address === undefined) return []
  const runRound = async () => {
    using folder = newFolder(peer, operation)
    const round = operation.prepare(peer, address, folder)
    const usage = await usageOf(running.get(peer)?.pid, () => sendAll(peer.url, round))
    round.verify?.()
    return usage
  }
  return [{ name: peer.name, run: () => runRound().catch((cause) => fail(peer, operation, cause)) }]
}

/** The folder of one round, which is removed after it. */
function newFolder({ folder }: Peer, { writes }: Operation): NewFolder & Disposable {
  const name = `uploads-${crypto.randomUUID()}`
  const path = join(folder, name)
  if (writes) mkdirSync(path)
  return { name, path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** @throws Error with the names of the server and the operation */
function fail(peer: Peer, operation: Operation, cause: unknown): never {
  throw new Error(`${peer.name}: ${operation.name}`, { cause })
}

function programRunners(operation: Operation): Runner[] {
  return PROGRAMS.filter(({ target }) => target === operation.target).flatMap(({ name, run }) =>
    Bun.which(name) ? [{ name, run: () => run(served.path) }] : [],
  )
}
