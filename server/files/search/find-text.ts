/** Searches text files while the user types, with limits of time, bytes and results (docs/api.md 26). */
import type { Scope } from '#server/access/scope/scope.ts'
import type { ScopeFolder } from '#server/access/scope/scope-folder.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Node } from '#server/storage/node.ts'
import {
  areSearchedInText,
  type FindQuery,
  type FoundText,
  type FoundTexts,
  parseFind,
} from '#wire/api/find.ts'
import { isFault } from '#wire/fault.ts'
import { foldText } from '#wire/fold.ts'
import { foldWithOffsets } from '#wire/fold-offsets.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { entryOf } from '../entry.ts'
import { typeByName } from '../file-types.ts'
import { isTooDeep } from '../walk-folders.ts'
import { fitsEntry } from './find.ts'
import { fitsNames } from './find-score.ts'

/** Files in memory at a time. */
const GROUP_SIZE = 8
/** Characters of a line in a result, and of them before the first word. */
const EXCERPT_CHARS = 160
const BEFORE_WORD_CHARS = 40

interface FindTextOptions {
  signal: AbortSignal
  /** Search only below the current folder. */
  onlyHere: boolean
  timeMs?: number
  bytesMax?: number
}

/**
 * Finds files with a line that contains all words, first those below `currentFolder`. Only the beginning of each
 * file is read; links are not followed. Without the permission to download, nothing is found.
 */
export async function findText(
  scope: Scope,
  currentFolder: TreePath,
  text: string,
  {
    signal,
    onlyHere,
    timeMs = SERVER_LIMITS.findTextMs,
    bytesMax = SERVER_LIMITS.findTextBytes,
  }: FindTextOptions,
): Promise<FoundTexts> {
  const query = parseFind(text)
  const { words } = query
  const hits: FoundText[] = []
  if (!areSearchedInText(words)) return { hits, isPartial: false }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeMs)])
  let bytesLeft = bytesMax
  const notes: Notes = { isCut: false, isSilent: false }
  const from = onlyHere ? [currentFolder] : [currentFolder, ROOT]
  for await (const files of textFiles(scope, from, { query, notes, signal: limit })) {
    const starts = await ifReadable(
      () => files.folder.readStarts(files.nodes, { bytesMax: SERVER_LIMITS.findTextFileBytes }),
      notes,
    )
    for (const [index, start] of starts?.entries() ?? []) {
      const node = files.nodes[index]
      if (!start || !node) continue
      bytesLeft -= start.bytes.length
      const line = lineWith(new TextDecoder().decode(start.bytes), words)
      if (line) hits.push({ ...entryOf(node, typeByName(node)), ...line })
      if (hits.length > SERVER_LIMITS.findTextHits)
        return { ...notedIn(notes, true), hits: hits.slice(0, -1) }
    }
    if (bytesLeft <= 0) return { ...notedIn(notes, true), hits }
  }
  return { ...notedIn(notes, limit.aborted), hits }
}

/** What was left out. */
interface Notes {
  /** Because it is too deep. */
  isCut: boolean
  /** Because its disk does not respond. */
  isSilent: boolean
}

function notedIn({ isCut, isSilent }: Notes, isLimited: boolean): Omit<FoundTexts, 'hits'> {
  return { isPartial: isCut || isSilent || isLimited, ...(isSilent && { isSilent }) }
}

/** Yields text files below some folders, in small groups of one folder; each folder is read once. */
async function* textFiles(
  scope: Scope,
  from: readonly TreePath[],
  { query, notes, signal }: { query: FindQuery; notes: Notes; signal: AbortSignal },
): AsyncGenerator<{ folder: ScopeFolder; nodes: Node[] }> {
  const pending = [...from].reverse()
  const seen = new Set<TreePath>()
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const openPath = path
    using folder = await ifReadable(() => scope.openFolder(openPath), notes)
    const nodes = await ifReadable(async () => folder?.list(), notes)
    if (!folder || !nodes) continue
    const files = nodes.filter((node) => isWanted(node, query))
    for (let index = 0; index < files.length; index += GROUP_SIZE) {
      if (signal.aborted) return
      yield { folder, nodes: files.slice(index, index + GROUP_SIZE) }
    }
    if (signal.aborted) return
    // This is a stack: the first folder is finished before the next.
    for (const { kind, isLink, path } of nodes.reverse()) {
      if (kind === 'folder' && !isLink) pending.push(path)
    }
  }
}

function isWanted(node: Node, query: FindQuery): boolean {
  if (node.kind !== 'file' || node.isLink || typeByName(node) !== 'text') return false
  return fitsNames(node.path.slice(1), false, query) && fitsEntry(entryOf(node, 'text'), query)
}

/**
 * @param notes is told if the folder is too deep, or its disk does not respond
 * @returns undefined if the folder was removed or may not be read
 */
async function ifReadable<T>(read: () => Promise<T>, notes: Notes): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!isFault(error)) throw error
    if (isTooDeep(error)) notes.isCut = true
    if (isFault(error, 'unavailable')) notes.isSilent = true
    return undefined
  }
}

/** @returns the first line that contains all words */
function lineWith(text: string, words: readonly string[]) {
  const folded = foldText(text)
  // Most files do not contain all words; this check is quick.
  if (!words.every((word) => folded.includes(word))) return undefined
  let line = 0
  for (const lineText of text.split('\n')) {
    line += 1
    const foldedLine = foldText(lineText)
    if (words.every((word) => foldedLine.includes(word))) {
      return { line, excerpt: excerptOf(lineText, words[0] ?? '') }
    }
  }
  return undefined
}

function excerptOf(line: string, word: string): string {
  const isShort = line.length <= EXCERPT_CHARS
  const from = isShort ? 0 : Math.max(0, offsetOf(word, line) - BEFORE_WORD_CHARS)
  const excerpt = line.slice(from, from + EXCERPT_CHARS)
  // A surrogate pair that was cut in two is left out.
  return excerpt.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '').trim()
}

/** Where a folded word begins in a line. */
function offsetOf(word: string, line: string): number {
  const { folded, offsets } = foldWithOffsets(line)
  return offsets[folded.indexOf(word)] ?? 0
}
