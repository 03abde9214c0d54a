/** What is left in the private folder of the served one when nothing runs. */
import { existsSync, lstatSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { SharedServers } from './servers.ts'

const PRIVATE = '.filemgr'
/** What a running server has in its own folder. */
const SIGNS_OF_LIFE = ['heartbeat', 'heartbeat-asked']
/** Staged files are kept for a day, since those without a row may belong to another database. */
const OLD_SEC = 2 * 24 * 60 * 60

/** The folders of processes that have ended, and what was staged for changes and jobs; empty if nothing is left. */
export function leftIn(servers: SharedServers): string[] {
  const processes = namesIn(servers, 'work')
  const staged = processes.flatMap((name) =>
    namesIn(servers, 'work', name)
      .filter((inside) => !SIGNS_OF_LIFE.includes(inside))
      .map((inside) => join('work', name, inside)),
  )
  const ended = processes.length > servers.count ? [`${processes.length} folders of processes`] : []
  return [...ended, ...staged, ...namesIn(servers, 'jobs').map((name) => join('jobs', name))]
}

/** The staged files that belong to no upload. */
export async function uploadsWithoutRow(servers: SharedServers): Promise<string[]> {
  const rows = await servers.postgres.run(servers.url, 'SELECT id FROM uploads')
  const known = new Set(rows.map(({ id }) => id))
  return namesIn(servers, 'uploads').filter((name) => !known.has(name))
}

/** Makes staged files so old that a start removes those without an upload. */
export function ageUploads(servers: SharedServers): void {
  for (const name of namesIn(servers, 'uploads')) {
    const path = servers.at(PRIVATE, 'uploads', name)
    const seconds = lstatSync(path).mtimeMs / 1000 - OLD_SEC
    utimesSync(path, seconds, seconds)
  }
}

function namesIn(servers: SharedServers, ...folder: string[]): string[] {
  const path = servers.at(PRIVATE, ...folder)
  if (!existsSync(path)) return []
  return readdirSync(path)
}
