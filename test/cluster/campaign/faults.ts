/** The faults of a round: what happens to the servers and to their database. */
import type { Draw } from '../../faults/load.ts'
import type { SharedServers } from './servers.ts'

/** A stopped server loses its lease after 20 seconds, and changes nothing after 12. */
const SLEEPS_MS = [
  { from: 300, to: 3000, weight: 6 },
  { from: 12_500, to: 19_000, weight: 1 },
  { from: 21_000, to: 27_000, weight: 2 },
]
const DATABASE_OFF_MAX_MS = 8000
const CUTS_MAX = 5

export interface Fault {
  /** For the line of the round. */
  name: string
  /** Resolves when it is over; killed servers stay so. */
  happen(): Promise<void>
}

/** One or two faults of different servers, or of the database. */
export function drawFaults(servers: SharedServers, draw: Draw): Fault[] {
  const first = draw(servers.count)
  const kinds = [
    () => killing(servers, first),
    () => killing(servers, first),
    () => sleeping(servers, first, draw),
    () => sleeping(servers, first, draw),
    () => cutting(servers, draw),
    () => away(servers, draw),
  ]
  const drawn = [kinds[draw(kinds.length)]?.() ?? killing(servers, first)]
  if (draw(3) === 0) {
    const second = (first + 1) % servers.count
    const more = [() => killing(servers, second), () => cutting(servers, draw)]
    drawn.push(more[draw(more.length)]?.() ?? killing(servers, second))
  }
  return drawn
}

function killing(servers: SharedServers, at: number): Fault {
  return { name: `kill ${at}`, happen: async () => servers.kill(at) }
}

function sleeping(servers: SharedServers, at: number, draw: Draw): Fault {
  const all = SLEEPS_MS.flatMap((sleep) => Array<typeof sleep>(sleep.weight).fill(sleep))
  const { from, to } = all[draw(all.length)] ?? { from: 0, to: 1 }
  const ms = from + draw(to - from)
  return {
    name: `stop ${at} for ${ms} ms`,
    async happen() {
      servers.freeze(at)
      await Bun.sleep(ms)
      servers.thaw(at)
    },
  }
}

function cutting({ postgres, url }: SharedServers, draw: Draw): Fault {
  const times = 1 + draw(CUTS_MAX)
  return {
    name: `cut connections ${times} times`,
    async happen() {
      for (let time = 0; time < times; time += 1) {
        await postgres.run(
          url,
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        )
        await Bun.sleep(draw(300))
      }
    },
  }
}

/** A crash empties the tables that are not flushed, such as the leases; a stop does not. */
function away({ postgres }: SharedServers, draw: Draw): Fault {
  const [isCrash, ms] = [draw(2) === 0, draw(DATABASE_OFF_MAX_MS)]
  return {
    name: `${isCrash ? 'crash' : 'stop'} of the database for ${ms} ms`,
    async happen() {
      await (isCrash ? postgres.kill() : postgres.stop())
      await Bun.sleep(ms)
      await postgres.start()
    },
  }
}
