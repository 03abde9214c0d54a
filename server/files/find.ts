/** Finds files and folders while the user types: the best matches, ranked, within limited time (docs/api.md 26). */
import type { Scope } from '#server/access/scope.ts'
import type { Entry } from '#wire/entry.ts'
import { isFault } from '#wire/fault.ts'
import { type FindQuery, type Found, parseFind } from '#wire/find.ts'
import { LIMITS } from '#wire/limits.ts'
import { joinPath, ROOT, type TreePath } from '#wire/paths.ts'
import { DAY_MS } from '#wire/units.ts'
import { entryOf } from './entry.ts'
import { typeByName } from './file-types.ts'
import { fitsNames, fuzzyScoreOf, scoreOf } from './find-score.ts'
import { search } from './search.ts'

interface Candidate {
  path: string
  score: number
}

/** With fewer results than this, fuzzy matches are added. */
const FUZZY_BELOW = 8
const FUZZY_LETTERS_MIN = 3

interface FindOptions {
  signal: AbortSignal
  /** Search only below the folder. */
  onlyHere: boolean
  timeMs?: number
}

/**
 * Finds the best entries for `text` that the actor may see: with the name index if there is one, otherwise by a walk.
 *
 * @param currentFolder the current folder; entries below it rank higher
 * @throws Fault as `search`
 */
export async function findEntries(
  scope: Scope,
  currentFolder: TreePath,
  text: string,
  { signal, onlyHere, timeMs = LIMITS.findMs }: FindOptions,
): Promise<Found> {
  const query = parseFind(text)
  const finding = new Finding(
    scope,
    onlyHere ? currentFolder : ROOT,
    AbortSignal.any([signal, AbortSignal.timeout(timeMs)]),
  )
  const nearPrefix = onlyHere || currentFolder === ROOT ? '' : `${currentFolder.slice(1)}/`
  await finding.collect(asSearch(query), query, (path) => scoreOf(path, query, nearPrefix))
  const [word = ''] = query.words
  const mayBeFuzzy = query.words.length === 1 && word.length >= FUZZY_LETTERS_MIN
  if (mayBeFuzzy && finding.count < FUZZY_BELOW) {
    await finding.collect('', query, (path) => fuzzyScoreOf(path, word, nearPrefix))
  }
  return finding.best(query)
}

/** One search with its best candidates so far. */
class Finding {
  readonly #scope: Scope
  readonly #base: TreePath
  readonly #signal: AbortSignal
  /** The paths of the candidates. */
  readonly #seen = new Set<string>()
  /** Whether folders were left out because they are too deep. */
  #isCut = false
  /** Their paths are relative to the base. */
  #candidates: Candidate[] = []

  constructor(scope: Scope, base: TreePath, signal: AbortSignal) {
    this.#scope = scope
    this.#base = base
    this.#signal = signal
  }

  get count(): number {
    return this.#candidates.length
  }

  /** Adds the results of a search and keeps the best. */
  async collect(
    searchText: string,
    query: FindQuery,
    score: (path: string) => number | undefined,
  ): Promise<void> {
    const { hits, isCut } = await search(this.#scope, this.#base, searchText, this.#signal)
    for await (const batch of hits) {
      for (const { path, dir } of batch) {
        if (!fitsNames(path, dir, query) || this.#seen.has(path)) continue
        const points = score(path)
        if (points === undefined) continue
        this.#candidates.push({ path, score: points })
      }
      if (this.#candidates.length > 2 * LIMITS.findCandidates) this.#prune()
      if (this.#signal.aborted) break
    }
    this.#prune()
    if (isCut()) this.#isCut = true
  }

  /** Reads the entries, checks the conditions on date and size, and adds points for recent changes. */
  async best(query: FindQuery): Promise<Found> {
    const scored: { entry: Entry; score: number }[] = []
    for (const { path, score } of this.#candidates) {
      if (scored.length >= LIMITS.findRanked || this.#signal.aborted) break
      const entry = await this.#entryOf(joinPath(this.#base, path))
      if (entry && fitsEntry(entry, query)) scored.push({ entry, score: score + recency(entry) })
    }
    scored.sort((a, b) => b.score - a.score)
    const hits = scored.slice(0, LIMITS.findHits).map(({ entry }) => entry)
    return { hits, isPartial: this.#isCut || this.#signal.aborted }
  }

  #prune(): void {
    this.#candidates.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    this.#candidates = this.#candidates.slice(0, LIMITS.findCandidates)
    this.#seen.clear()
    for (const { path } of this.#candidates) this.#seen.add(path)
  }

  /** @returns undefined if the file was removed since it was found */
  async #entryOf(path: TreePath): Promise<Entry | undefined> {
    try {
      const node = await this.#scope.stat(path)
      return entryOf(node, typeByName(node))
    } catch (error) {
      if (isFault(error)) return undefined
      throw error
    }
  }
}

/** The query for the search, which matches names that contain any of the words. */
function asSearch({ words }: FindQuery): string {
  if (words.length === 1 && /\s/.test(words[0] ?? '')) return `"${words[0]}"`
  // For a phrase its first word suffices here.
  return words.map((word) => word.split(/\s/)[0]).join(' ')
}

/** Whether date and size fulfil the conditions. */
export function fitsEntry(
  { isDir, size, modified }: Entry,
  { beforeMs, afterMs, largerThan }: FindQuery,
): boolean {
  const changedMs = Date.parse(modified)
  if (beforeMs !== undefined && changedMs >= beforeMs) return false
  if (afterMs !== undefined && changedMs < afterMs) return false
  return largerThan === undefined || (!isDir && size > largerThan)
}

/** Points for a change today, this week or this month. */
function recency({ modified }: Entry): number {
  const days = (Date.now() - Date.parse(modified)) / DAY_MS
  if (days < 1) return 8
  if (days < 7) return 5
  return days < 31 ? 2 : 0
}
