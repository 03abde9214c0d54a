/** The way back: each entry of the journal is undone, the newest first, past every moment that was photographed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalEntry } from '#wire/journal.ts'
import { API } from '#wire/routes.ts'
import type { Client } from '../support/client.ts'
import { digest } from './expected-state.ts'

/** What stood in the tree when the journal had this newest entry. */
export interface Moment {
  entry: number
  tree: Record<string, string>
}

/** @param root the served folder */
export async function momentOf(client: Client, root: string): Promise<Moment> {
  const [newest] = await entries(client)
  return { entry: newest?.id ?? 0, tree: treeOf(root) }
}

/**
 * Undoes everything, the newest first.
 *
 * @returns how many entries were undone, and a sentence for each undo that was refused and for each moment whose tree
 *   is another one when everything after it is undone
 */
export async function undoBackTo(
  moments: readonly Moment[],
  client: Client,
  root: string,
): Promise<{ undone: number; wrong: string[] }> {
  const wrong: string[] = []
  const left = [...moments]
  let undone = 0
  const compare = (next: number) => {
    for (let moment = left.at(-1); moment && moment.entry >= next; moment = left.at(-1)) {
      left.pop()
      const tree = treeOf(root)
      if (JSON.stringify(tree) === JSON.stringify(moment.tree)) continue
      wrong.push(`after entry ${moment.entry} there was ${show(moment.tree)}, and is ${show(tree)}`)
    }
  }
  for (let page = await entries(client); page.length > 0; ) {
    for (const { id, verb, path } of page) {
      compare(id)
      if (verb === 'undo') continue
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

/** All names by what they hold, in order. */
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

function show(tree: Record<string, string>): string {
  return Object.entries(tree)
    .map(([name, content]) => `${name}=${content.slice(0, 8)}`)
    .join(' ')
}
