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
  isFile: boolean
}

export interface ComparedResponses {
  /** The differences, each with its path. */
  differences: string[]
  /** Folders that exist on both. */
  folders: string[]
  /** Whether both describe a file. */
  isFile: boolean
}

/** @throws Fault unavailable if a server does not respond */
export async function compareResponses(
  sides: ComparedServers,
  path: string,
  label: string,
): Promise<ComparedResponses> {
  const [old, current] = await Promise.all([ask(sides.old, path), ask(sides.current, path)])
  if (old.status !== current.status) {
    return { differences: [statusDifference(label, old, current)], folders: [], isFile: false }
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
  return {
    differences,
    folders: folders.map(({ name }) => name),
    isFile: old.isFile && current.isFile,
  }
}

/**
 * Compares the status and the size of a download, without its content.
 *
 * @returns the differences
 * @throws Fault unavailable if a server does not respond
 */
export async function compareDownloads(
  sides: ComparedServers,
  path: string,
  label: string,
): Promise<string[]> {
  const [old, current] = await Promise.all([sizeOf(sides.old, path), sizeOf(sides.current, path)])
  if (old.status !== current.status) return [statusDifference(label, old, current)]
  if (old.size === current.size) return []
  return [`${label}: it has ${current.size} bytes here, ${old.size} there.`]
}

function statusDifference(
  label: string,
  old: { status: number },
  current: { status: number },
): string {
  return `${label}: the old server responds with the status ${old.status}, this one with ${current.status}.`
}

/** The private folder, which File Browser shows (docs/decisions.md 11). */
const PRIVATE_FOLDER = '.filemgr'

/** @throws Fault unavailable (the server does not respond) */
async function ask(server: ComparedServer, path: string): Promise<ListingSummary> {
  return request(server, path, async (response) => {
    const text = await response.text()
    const { status, ok } = response
    return ok ? { status, ...listingOf(text) } : { status, items: [], isFile: false }
  })
}

/** File Browser does not answer HEAD, so the content is requested and not read. */
async function sizeOf(
  server: ComparedServer,
  path: string,
): Promise<{ status: number; size: string | null }> {
  return request(server, path, async ({ status, headers, body }) => {
    await body?.cancel()
    return { status, size: headers.get('content-length') }
  })
}

/** @throws Fault unavailable (the server does not respond) */
async function request<T>(
  { url, headers }: ComparedServer,
  path: string,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  try {
    const signal = AbortSignal.timeout(RESPONSE_WITHIN_MS)
    return await read(
      await fetch(url + path, { headers: { ...headers, 'Accept-Encoding': 'identity' }, signal }),
    )
  } catch (cause) {
    throw new Fault('unavailable', `No server responds at ${url}.`, { cause })
  }
}

/** The items of a folder; a file is its own single item. */
function listingOf(text: string): Omit<ListingSummary, 'status'> {
  const parsed = JSON.parse(text) as Item & { items?: Item[] }
  const items = (parsed.items ?? [parsed]).filter(({ name }) => name !== PRIVATE_FOLDER)
  return { items, isFile: parsed.items === undefined }
}
