/**
 * Paths in the tree, and their encoding in URLs.
 *
 * A `TreePath` is absolute, POSIX, decoded, without empty, `.` or `..` segments and without a trailing slash (except
 * for the root, `/`). Only `server/storage` resolves it on a disk. Other modules get the type from the functions of this
 * file, or from a cast with a comment that gives the reason.
 */
import { Fault } from './fault.ts'
import { bytesOfName, canonicalName } from './names.ts'

declare const treePath: unique symbol
export type TreePath = string & { readonly [treePath]: true }

export const ROOT = '/' as TreePath

/** Maximum length of a segment in bytes of UTF-8 (NAME_MAX of all common file systems). */
export const NAME_MAX_BYTES = 255

/** Maximum depth of a path, since every level costs time. */
export const DEPTH_MAX = 256

/** Maximum length of a path; each byte of a name is at most one character. */
export const PATH_MAX_CHARACTERS = DEPTH_MAX * (NAME_MAX_BYTES + 1)

/** A path in a request, and whether it ended with a slash. */
export interface RequestPath {
  path: TreePath
  /** Whether the path was written as a folder: `/docs/` instead of `/docs`. */
  asFolder: boolean
}

/**
 * Parses a decoded path: drops empty and `.` segments and resolves `..`, never above the root (docs/decisions.md 2).
 * Bytes that are not UTF-8 get their canonical text (names.ts).
 *
 * @throws Fault badRequest for a NUL character, too many levels or too many characters
 */
export function parsePath(text: string): TreePath {
  if (text.length > PATH_MAX_CHARACTERS) {
    throw new Fault('badRequest', `A path may have at most ${PATH_MAX_CHARACTERS} characters.`)
  }
  if (isParsed(text)) return text
  if (text.includes('\0')) throw new Fault('badRequest', 'A path cannot contain a NUL character.')
  const segments: string[] = []
  for (const segment of canonicalName(text).split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') segments.pop()
    else segments.push(segment)
  }
  if (segments.length > DEPTH_MAX) throw tooDeep()
  return `/${segments.join('/')}` as TreePath
}

/** A segment that is empty, `.` or `..`; a NUL character; or an escape of `names.ts`, which may not be canonical. */
const UNCLEAN = /\/\.{0,2}(?:\/|$)|[\0\uef80-\uefff]/

/** Whether parsing leaves a text unchanged, as it does for nearly every path of a request. */
function isParsed(text: string): text is TreePath {
  // Each level takes at least two characters, so short paths need no counting.
  return text.startsWith('/') && text.length < 2 * DEPTH_MAX && !UNCLEAN.test(text)
}

/**
 * Parses the path of a URL, decoding it exactly once.
 *
 * An encoded slash (`%2F`) separates segments like a plain one.
 *
 * @throws Fault badRequest for a path that does not decode to UTF-8, or a NUL character
 */
export function parseUrlPath(encoded: string): RequestPath {
  return parseRequestPath(encoded.includes('%') ? decodeSegment(encoded) : encoded)
}

/**
 * Parses a decoded path. If it ends with a slash, with `.` or with `..`, it requests a folder.
 *
 * @throws as `parsePath`
 */
export function parseRequestPath(decoded: string): RequestPath {
  const lastSegment = decoded.slice(decoded.lastIndexOf('/') + 1)
  return {
    path: parsePath(decoded),
    asFolder: lastSegment === '' || lastSegment === '.' || lastSegment === '..',
  }
}

/**
 * Percent-decodes a part of a URL.
 *
 * @throws Fault badRequest if it is not valid percent-encoded UTF-8
 */
export function decodeSegment(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    const isEncoded = !/%(?![0-9a-f]{2})/i.test(encoded)
    throw new Fault(
      'badRequest',
      isEncoded
        ? `The name is not valid UTF-8: ${encoded}. A byte that is not UTF-8 is written as in listings: %EE%BF%BF for %FF.`
        : `The path is not valid percent-encoding: ${encoded}`,
    )
  }
}

/** Encodes a path for a URL, with a trailing slash if `asFolder`. */
export function toUrlPath(path: TreePath, asFolder = false): string {
  const encoded = path.split('/').map(encodeSegment).join('/')
  return asFolder && encoded !== '/' ? `${encoded}/` : encoded
}

/** Encodes a name for a URL. A TreePath has no names `.` and `..`, so a dot needs no escape. */
export function encodeSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed())
}

/**
 * The path of a name inside `folder`.
 *
 * @param rawName a name whose text may not be canonical
 * @throws Fault badRequest if it is not a valid name, or the path becomes too deep
 */
export function childPath(folder: TreePath, rawName: string): TreePath {
  const name = rawName.length > NAME_MAX_BYTES ? rawName : canonicalName(rawName)
  const problem = findNameProblem(name)
  if (problem) {
    throw new Fault('badRequest', `${NAME_PROBLEMS[problem]}: ${name.slice(0, NAME_MAX_BYTES)}`, {
      reason: problem === 'tooLong' ? 'nameTooLong' : 'nameInvalid',
    })
  }
  // Each level takes at least two characters, so short paths need no counting.
  if (folder.length >= 2 * DEPTH_MAX && segmentsOf(folder).length >= DEPTH_MAX) throw tooDeep()
  return (folder === ROOT ? `/${name}` : `${folder}/${name}`) as TreePath
}

/**
 * Joins `relative`, which may have any number of segments and need not be canonical, to `folder`. The result is never
 * above the folder, but may have more than `DEPTH_MAX` levels, as a path in a deep folder of a user has.
 *
 * @throws as `parsePath`, for `relative`
 */
export function joinPath(folder: TreePath, relative: string): TreePath {
  const below = parsePath(relative)
  if (below === ROOT) return folder
  return folder === ROOT ? below : (`${folder}${below}` as TreePath)
}

/** The parent folder; the root is its own parent. */
export function parentPath(path: TreePath): TreePath {
  const cut = path.lastIndexOf('/')
  return (cut <= 0 ? '/' : path.slice(0, cut)) as TreePath
}

/** The last segment; empty for the root. */
export function nameOf(path: TreePath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The segments from the root down; empty for the root. */
export function segmentsOf(path: TreePath): string[] {
  return path === ROOT ? [] : path.slice(1).split('/')
}

/** Whether `path` is `folder` or below it. */
export function isInside(path: TreePath, folder: TreePath): boolean {
  return folder === ROOT || path === folder || path.startsWith(`${folder}/`)
}

/** @returns the deepest folder that contains all of `folders`, or is one of them */
export function commonFolder(folders: readonly TreePath[]): TreePath {
  let [common = ROOT] = folders
  for (const folder of folders) {
    while (!isInside(folder, common)) common = parentPath(common)
  }
  return common
}

/**
 * The path relative to `folder`, as an absolute path: `/a/b` from `/a` is `/b`.
 *
 * @throws Fault internal if `path` is not inside `folder`
 */
export function relativePath(path: TreePath, folder: TreePath): TreePath {
  if (!isInside(path, folder)) throw new Fault('internal', 'The path is outside the folder.')
  if (folder === ROOT) return path
  return (path.slice(folder.length) || '/') as TreePath
}

/** The extension with its dot, in its original case; `.env` for `.env` (docs/api.md 8.1). */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot)
}

export function tooDeep(): Fault {
  return new Fault('badRequest', `A path may have at most ${DEPTH_MAX} levels.`, {
    reason: 'tooDeep',
    params: { levels: DEPTH_MAX },
  })
}

/** Why a name is not valid. The interface has a message for each, below `prompts.name`. */
export type NameProblem = keyof typeof NAME_PROBLEMS

const NAME_PROBLEMS = {
  empty: 'A name cannot be empty',
  dots: 'This name is reserved',
  slash: 'A name cannot hold a slash',
  control: 'A name cannot hold a NUL character',
  tooLong: 'This name is too long',
} as const

/** @returns undefined if the name is valid */
export function findNameProblem(name: string): NameProblem | undefined {
  if (name === '') return 'empty'
  if (name === '.' || name === '..') return 'dots'
  if (name.includes('/')) return 'slash'
  if (name.includes('\0')) return 'control'
  if (name.length > NAME_MAX_BYTES || bytesOfName(name).length > NAME_MAX_BYTES) return 'tooLong'
  return undefined
}
