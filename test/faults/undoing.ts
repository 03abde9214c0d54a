/** Undoes journal entries, newest first, and compares the tree with earlier recorded states. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalEntry } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import type { Client } from '../support/server/client.ts'
import { digest } from './expected-state.ts'

/** A recorded state of the tree. */
export interface Moment {
  /** The id of the newest journal entry at that time. */
  entry: number
  /** Paths, each with the digest of its file, or `folder`. */
  tree: Record<string, string>
}

/** Records the current state. @param root the served folder */
export async function momentOf(client: Client, root: string): Promise<Moment> {
  const [newest] = await entries(client)
  return { entry: newest?.id ?? 0, tree: treeOf(root) }
}

/**
 * Undoes all entries that are newer than the first moment, newest first; not those that were undone before.
 *
 * @returns the number of undone entries, and a message for each undo that was refused, and for each moment whose tree is
 *   not restored when all later entries are undone
 */
export async function undoBackTo(
  moments: readonly Moment[],
  client: Client,
  root: string,
): Promise<{ undone: number; wrong: string[] }> {
  const wrong: string[] = []
  const remaining = [...moments]
  let undone = 0
  const compare = (next: number) => {
    for (let moment = remaining.at(-1); moment && moment.entry >= next; moment = remaining.at(-1)) {
      remaining.pop()
      const tree = treeOf(root)
      const names = differing(tree, moment.tree)
      if (names.length === 0) continue
      const [before, now] = [shown(names, moment.tree), shown(names, tree)]
      wrong.push(`after entry ${moment.entry} there was ${before}, and is ${now}`)
    }
  }
  for (let page = await entries(client); page.length > 0; ) {
    for (const { id, verb, path, undoneBy } of page) {
      compare(id)
      if (remaining.length === 0) return { undone, wrong }
      if (verb === 'undo' || verb === 'redo' || undoneBy !== 0) continue
      const answer = await client.call('POST', `${API.journal}/undo`, { id })
      if (answer.ok) undone += 1
      else wrong.push(`${verb} ${path} (${id}) is not undone: ${await answer.text()}`)
    }
    page = await entries(client, page.at(-1)?.id)
  }
  compare(0)
  return { undone, wrong }
}

async function entries(client: Client, before?: number): Promise<JournalEntry[]> {
  const older = before === undefined ? '' : `&before=${before}`
  return (await client.call('GET', `${API.journal}?limit=1000${older}`)).json()
}

/** The sorted paths below the root, each with the digest of its file, or `folder`; without the private folder. */
function treeOf(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  for (const name of names) {
    if (name.split('/')[0] === '.filemgr') continue
    found[name] = contentOf(join(root, name))
  }
  return found
}

function contentOf(path: string): string {
  try {
    return digest(readFileSync(path))
  } catch {
    return 'folder'
  }
}

type Tree = Moment['tree']

/** The paths that only one of two trees has, or with another content. */
function differing(one: Tree, other: Tree): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => one[name] !== other[name])
}

function shown(names: readonly string[], tree: Tree): string {
  return names.map((name) => `${name}=${tree[name]?.slice(0, 8) ?? 'nothing'}`).join(' ')
}
