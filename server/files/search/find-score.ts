/**
 * Scores how well a name matches the typed words: the name starts with it, one of its words does, or it occurs
 * somewhere.
 */
import type { FindQuery } from '#wire/api/find.ts'
import { foldText } from '#wire/fold.ts'
import { typeByEnding } from '../file-types.ts'

/** Points for a word, by where it matches. */
const STARTS = 100
const WORD_STARTS = 70
const CONTAINS = 40
const IN_PATH = 8
const FUZZY = 20
const MISTYPED = 30
/** Points for files below the current folder, and directly in it. */
const BELOW = 40
const HERE = 15

/**
 * @param path relative to the searched root
 * @param currentFolder the current folder relative to the searched root, with a trailing slash; empty for the root
 * @returns higher is better; undefined if a word is in neither the name nor the path
 */
export function scoreOf(
  path: string,
  { words }: FindQuery,
  currentFolder: string,
): number | undefined {
  const folded = foldText(path)
  const start = folded.lastIndexOf('/') + 1
  const name = folded.slice(start)
  let score = 0
  for (const word of words) {
    const points = pointsIn(name, word) ?? (folded.includes(word) ? IN_PATH : undefined)
    if (points === undefined) return undefined
    score += points
  }
  // Of equal matches the shorter name is more likely meant.
  return score + nearness(path, currentFolder) - Math.min(name.length, 60) / 10
}

/**
 * Scores names that contain the letters of a word in order, with few others between them. Parameters and result are those
 * of `scoreOf`.
 */
export function fuzzyScoreOf(
  path: string,
  word: string,
  currentFolder: string,
): number | undefined {
  const name = foldText(path.slice(path.lastIndexOf('/') + 1))
  let index = name.indexOf(word[0] ?? '')
  const first = index
  for (const letter of word.slice(1)) {
    if (index < 0) return undefined
    index = name.indexOf(letter, index + 1)
  }
  const gaps = index - first + 1 - word.length
  if (index < 0 || gaps > word.length) return undefined
  return FUZZY + nearness(path, currentFolder) - gaps
}

/** In shorter words, another letter makes another word. */
const MISTYPED_LETTERS_MIN = 4

/** Whether words may be mistyped: at least one of them is long enough. */
export function mayBeMistyped(words: readonly string[]): boolean {
  return words.some((word) => word.length >= MISTYPED_LETTERS_MIN)
}

/**
 * Scores names with all words, of which each may be mistyped in one letter: a wrong, missing or additional one, or two in
 * the wrong order. A mistyped word is the beginning of a word of the name. Parameters and result are those of `scoreOf`.
 */
export function mistypedScoreOf(
  path: string,
  { words }: Pick<FindQuery, 'words'>,
  currentFolder: string,
): number | undefined {
  const folded = foldText(path)
  const name = folded.slice(folded.lastIndexOf('/') + 1)
  if (!words.every((word) => folded.includes(word) || hasMistyped(name, word))) return undefined
  return MISTYPED + nearness(path, currentFolder) - Math.min(name.length, 60) / 10
}

function hasMistyped(name: string, word: string): boolean {
  if (word.length < MISTYPED_LETTERS_MIN) return false
  for (const { index } of name.matchAll(NAME_WORD)) {
    if (isMistypedAt(name, index, word)) return true
  }
  return false
}

const NAME_WORD = /[\p{L}\p{N}]+/gu

/** Whether the text at `start` differs from the word in one letter, or in the order of two. */
function isMistypedAt(name: string, start: number, word: string): boolean {
  let same = 0
  while (same < word.length && name[start + same] === word[same]) same += 1
  const next = start + same
  const goesOn = (typed: number, written: number) =>
    name.startsWith(word.slice(same + typed), next + written)
  const isSwapped = name[next] === word[same + 1] && name[next + 1] === word[same]
  return goesOn(1, 1) || goesOn(0, 1) || goesOn(1, 0) || (isSwapped && goesOn(2, 2))
}

/** Whether a path fulfils the conditions that can be checked by names. */
export function fitsNames(
  path: string,
  isFolder: boolean,
  { types, within }: Pick<FindQuery, 'types' | 'within'>,
): boolean {
  if (within.length === 0 && types.length === 0) return true
  const folded = foldText(path)
  const folders = folded.split('/').slice(0, -1)
  if (!within.every((part) => folders.some((folder) => folder.includes(part)))) return false
  return types.length === 0 || types.some((type) => isOfType(folded, isFolder, type))
}

function isOfType(path: string, isFolder: boolean, type: string): boolean {
  if (type === 'folder' || type === 'file') return isFolder === (type === 'folder')
  if (isFolder) return false
  const fileType = type === 'music' ? 'audio' : type
  return typeByEnding(path) === fileType || path.endsWith(`.${type}`)
}

function pointsIn(name: string, word: string): number | undefined {
  const index = name.indexOf(word)
  if (index < 0) return undefined
  if (index === 0) return STARTS
  for (let next = index; next >= 0; next = name.indexOf(word, next + 1)) {
    if (!/[\p{L}\p{N}]/u.test(name[next - 1] ?? '')) return WORD_STARTS
  }
  return CONTAINS
}

function nearness(path: string, currentFolder: string): number {
  if (!path.startsWith(currentFolder)) return 0
  const isDirect = !path.slice(currentFolder.length).includes('/')
  return (currentFolder === '' ? 0 : BELOW) + (isDirect ? HERE : 0)
}
