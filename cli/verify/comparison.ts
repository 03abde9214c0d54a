/** Sends two servers the same request and compares the responses. */
import { Fault } from '#wire/fault.ts'

const RESPONSE_WITHIN_MS = 60_000

/** One of the two servers: its URL, and a user's credentials. */
export interface ComparedServer {
  url: string
  headers: Record<string, string>
}

export interface ComparedServers {
  old: ComparedServer
  current: ComparedServer
}

/** The compared fields of a listing. */
interface Item {
  name: string
  isDir: boolean
  size: number
}

export interface ListingSummary {
  status: number
  items: Item[]
}

export interface ComparedResponses {
  /** The differences, each with its path. */
  differences: string[]
  /** Folders that exist on both. */
  folders: string[]
}

/** @throws Fault unavailable if a server does not respond */
export async function compareResponses(
  sides: ComparedServers,
  path: string,
  label: string,
): Promise<ComparedResponses> {
  const [old, current] = await Promise.all([ask(sides.old, path), ask(sides.current, path)])
  if (old.status !== current.status) {
    const message = `the old server responds with the status ${old.status}, this one with ${current.status}.`
    return { differences: [`${label}: ${message}`], folders: [] }
  }
  const differences: string[] = []
  const currentItems = new Map(current.items.map((item) => [item.name, item]))
  const oldItems = new Map(old.items.map((item) => [item.name, item]))
  for (const [name, item] of oldItems) {
    const currentItem = currentItems.get(name)
    if (!currentItem) differences.push(`${label}: ${name} is missing here.`)
    else if (currentItem.isDir !== item.isDir)
      differences.push(`${label}: ${name} is a file on one server and a folder on the other.`)
    else if (!item.isDir && currentItem.size !== item.size) {
      differences.push(`${label}: ${name} has ${currentItem.size} bytes here, ${item.size} there.`)
    }
  }
  for (const name of currentItems.keys()) {
    if (!oldItems.has(name)) differences.push(`${label}: ${name} is only here.`)
  }
  const folders = old.items.filter(({ name, isDir }) => isDir && currentItems.get(name)?.isDir)
  return { differences, folders: folders.map(({ name }) => name) }
}

/** The private folder, which File Browser shows (docs/decisions.md 11). */
const PRIVATE_FOLDER = '.filemgr'

/** @throws Fault unavailable (the server does not respond) */
async function ask({ url, headers }: ComparedServer, path: string): Promise<ListingSummary> {
  try {
    const response = await fetch(url + path, {
      headers,
      signal: AbortSignal.timeout(RESPONSE_WITHIN_MS),
    })
    const text = await response.text()
    return { status: response.status, items: response.ok ? itemsOf(text) : [] }
  } catch (cause) {
    throw new Fault('unavailable', `No server responds at ${url}.`, { cause })
  }
}

/** The items of a folder; a file is its own single item. */
function itemsOf(text: string): Item[] {
  const parsed = JSON.parse(text) as Item & { items?: Item[] }
  return (parsed.items ?? [parsed]).filter(({ name }) => name !== PRIVATE_FOLDER)
}
