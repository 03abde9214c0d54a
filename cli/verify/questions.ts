/** The same question to two servers, and what their answers differ in. */
import { Fault } from '#wire/fault.ts'

const ANSWER_WITHIN_MS = 60_000

/** One of two servers: its address, and what lets a user in there. */
export interface Side {
  url: string
  headers: Record<string, string>
}

export interface Sides {
  old: Side
  own: Side
}

/** What is compared of a listing. */
interface Item {
  name: string
  isDir: boolean
  size: number
}

export interface Answer {
  status: number
  items: Item[]
}

export interface Compared {
  /** Each with where it was found. */
  differences: string[]
  /** Folders that both have. */
  folders: string[]
}

/** @throws Fault unavailable when a server does not answer */
export async function compare(sides: Sides, address: string, label: string): Promise<Compared> {
  const [old, own] = await Promise.all([ask(sides.old, address), ask(sides.own, address)])
  if (old.status !== own.status) {
    const message = `the old server answers ${old.status}, this one ${own.status}.`
    return { differences: [`${label}: ${message}`], folders: [] }
  }
  const differences: string[] = []
  const ownItems = new Map(own.items.map((item) => [item.name, item]))
  const oldItems = new Map(old.items.map((item) => [item.name, item]))
  for (const [name, item] of oldItems) {
    const here = ownItems.get(name)
    if (!here) differences.push(`${label}: ${name} is missing here.`)
    else if (here.isDir !== item.isDir) differences.push(`${label}: ${name} is of another kind.`)
    else if (!item.isDir && here.size !== item.size) {
      differences.push(`${label}: ${name} has ${here.size} bytes here, ${item.size} there.`)
    }
  }
  for (const name of ownItems.keys()) {
    if (!oldItems.has(name)) differences.push(`${label}: ${name} is only here.`)
  }
  const folders = old.items.filter(({ name, isDir }) => isDir && ownItems.get(name)?.isDir)
  return { differences, folders: folders.map(({ name }) => name) }
}

/** The folder in which this server keeps what is under way; File Browser shows it (docs/decisions.md 11). */
const PRIVATE_FOLDER = '.filemgr'

async function ask({ url, headers }: Side, address: string): Promise<Answer> {
  try {
    const answer = await fetch(url + address, {
      headers,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const text = await answer.text()
    return { status: answer.status, items: answer.ok ? itemsOf(text) : [] }
  } catch (cause) {
    throw new Fault('unavailable', `${url} does not answer.`, { cause })
  }
}

/** A folder's items; a file is its own only one. */
function itemsOf(text: string): Item[] {
  const answer = JSON.parse(text) as Item & { items?: Item[] }
  return (answer.items ?? [answer]).filter(({ name }) => name !== PRIVATE_FOLDER)
}
