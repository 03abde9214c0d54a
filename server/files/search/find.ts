/** Finds files and folders while the user types: the best matches, ranked, within limited time (docs/api.md 26). */
import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Entry } from '#wire/api/entry.ts'
import { type FindQuery, FOUND_PAGE, type Found, parseFind } from '#wire/api/find.ts'
import { isFault } from '#wire/fault.ts'
import { joinPath, ROOT, type TreePath } from '#wire/paths.ts'
import { DAY_MS } from '#wire/units.ts'
import { entryOf } from '../entry.ts'
import { typeByName } from '../file-types.ts'
import { fitsNames, fuzzyScoreOf, mayBeMistyped, mistypedScoreOf, scoreOf } from './find-score.ts'
import { search } from './search.ts'

interface Candidate {
  path: string
  score: number
}

/** With fewer results than this, fuzzy matches are added; without any, names that differ in one letter too. */
const FUZZY_BELOW = 8
const FUZZY_LETTERS_MIN = 3

interface FindOptions {
  signal: AbortSignal
  /** Search only below the folder. */
  onlyHere: boolean
  /** How many of the best results are left out: those of the pages before. */
  offset?: number
  /** Finds only names with all words. Similar names need all names of the index, which takes far longer. */
  isExact?: boolean
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
  { signal, onlyHere, offset = 0, isExact = false, timeMs = SERVER_LIMITS.findMs }: FindOptions,
): Promise<Found> {
  const query = parseFind(text)
  const finding = new Finding(
    scope,
    onlyHere ? currentFolder : ROOT,
    AbortSignal.any([signal, AbortSignal.timeout(timeMs)]),
  )
  const nearPrefix = onlyHere || currentFolder === ROOT ? '' : `${currentFolder.slice(1)}/`
  await finding.collect(asSearch(query), query, (path) => scoreOf(path, query, nearPrefix))
  const [word = '', ...others] = query.words
  const isFuzzy =
    others.length === 0 && word.length >= FUZZY_LETTERS_MIN && finding.count < FUZZY_BELOW
  const isMistyped = finding.count === 0 && mayBeMistyped(query.words)
  const hasSimilar = isFuzzy || isMistyped
  if (hasSimilar && !isExact) {
    await finding.collect('', query, (path) => {
      const mistyped = isMistyped ? mistypedScoreOf(path, query, nearPrefix) : undefined
      return mistyped ?? (isFuzzy ? fuzzyScoreOf(path, word, nearPrefix) : undefined)
    })
  }
  return { ...(await finding.page(query, offset)), ...(hasSimilar && isExact && { hasSimilar }) }
}

/** One search with its best candidates so far. */
class Finding {
  readonly #scope: Scope
  readonly #base: TreePath
  readonly #signal: AbortSignal
  /** The paths of the candidates. */
  readonly #seen = new Set<string>()
  /** Whether folders were left out because they are too deep, or candidates because there are too many. */
  #isCut = false
  /** Whether folders were left out because their disk does not respond. */
  #isSilent = false
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
    const { hits, isCut, isSilent } = await search(
      this.#scope,
      this.#base,
      searchText,
      this.#signal,
    )
    for await (const batch of hits) {
      for (const { path, dir } of batch) {
        if (!fitsNames(path, dir, query) || this.#seen.has(path)) continue
        const points = score(path)
        if (points === undefined) continue
        this.#candidates.push({ path, score: points })
      }
      if (this.#candidates.length > 2 * SERVER_LIMITS.findCandidates) this.#prune()
      if (this.#signal.aborted) break
    }
    this.#prune()
    if (isCut()) this.#isCut = true
    if (isSilent()) this.#isSilent = true
  }

  /**
   * One page of the results. The first ones are ranked by recent changes too, which need their entries; the order of the
   * others depends on their names alone, so that a page of them needs only its own entries. Conditions on date and size
   * need all entries.
   */
  async page(query: FindQuery, offset: number): Promise<Found> {
    const rankedCount = hasEntryConditions(query)
      ? SERVER_LIMITS.findCandidates
      : SERVER_LIMITS.findRanked
    const ranked = await this.#ranked(this.#candidates.slice(0, rankedCount), query)
    const others = this.#candidates.slice(rankedCount)
    const hits = ranked.slice(offset, offset + FOUND_PAGE)
    const first = Math.max(0, offset - ranked.length)
    for (const { path } of others.slice(first, first + FOUND_PAGE - hits.length)) {
      const entry = await this.#entryOf(joinPath(this.#base, path))
      if (entry) hits.push(entry)
    }
    const isSilent = this.#isSilent
    const isPartial = this.#isCut || isSilent || this.#signal.aborted
    const total = ranked.length + others.length
    return { hits, total, isPartial, ...(isSilent && { isSilent }) }
  }

  /** Reads the entries, checks the conditions on date and size, and adds points for recent changes. */
  async #ranked(candidates: readonly Candidate[], query: FindQuery): Promise<Entry[]> {
    const scored: { entry: Entry; score: number }[] = []
    for (const { path, score } of candidates) {
      if (this.#signal.aborted) break
      const entry = await this.#entryOf(joinPath(this.#base, path))
      if (entry && fitsEntry(entry, query)) scored.push({ entry, score: score + recency(entry) })
    }
    return scored.sort((a, b) => b.score - a.score).map(({ entry }) => entry)
  }

  #prune(): void {
    this.#candidates.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    if (this.#candidates.length > SERVER_LIMITS.findCandidates) this.#isCut = true
    this.#candidates = this.#candidates.slice(0, SERVER_LIMITS.findCandidates)
    this.#seen.clear()
    for (const { path } of this.#candidates) this.#seen.add(path)
  }

  /** @returns undefined if the file was removed since it was found */
  async #entryOf(path: TreePath): Promise<Entry | undefined> {
    try {
      const node = await this.#scope.stat(path)
      return entryOf(node, typeByName(node))
    } catch (error) {
      if (!isFault(error)) throw error
      if (isFault(error, 'unavailable')) this.#isSilent = true
      return undefined
    }
  }
}

/** The query for the search, which matches names that contain any of the words. */
function asSearch({ words }: FindQuery): string {
  if (words.length === 1 && /\s/.test(words[0] ?? '')) return `"${words[0]}"`
  // For a phrase its first word suffices here.
  return words.map((word) => word.split(/\s/)[0]).join(' ')
}

function hasEntryConditions({ beforeMs, afterMs, largerThan }: FindQuery): boolean {
  return [beforeMs, afterMs, largerThan].some((condition) => condition !== undefined)
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
