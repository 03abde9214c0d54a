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

/** Whether a path fulfils the conditions that can be checked by names. */
export function fitsNames(
  path: string,
  isFolder: boolean,
  { types, within }: Pick<FindQuery, 'types' | 'within'>,
): boolean {
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
