/**
 * Names of things in the tree, and their spelling in URLs.
 *
 * A `TreePath` is what a person sees: absolute, POSIX, decoded, without empty, `.` or `..` segments
 * and without a trailing slash (but for the root, `/`). It is a name and not a place: only
 * `server/storage` turns it into something on a disk. The brand is made here and nowhere else.
 */
import { Fault } from './fault.ts'
import { bytesOfName, canonicalName } from './names.ts'

declare const treePath: unique symbol
export type TreePath = string & { readonly [treePath]: true }

export const ROOT = '/' as TreePath

/** The longest name a segment may have, in bytes of UTF-8 (NAME_MAX of every common file system). */
export const NAME_MAX_BYTES = 255

/** Folders in one path: deeper trees are hostile, and every step of the way costs. */
export const DEPTH_MAX = 256

/** Characters of one path: each byte of a name is one character at most. */
export const PATH_MAX_CHARACTERS = DEPTH_MAX * (NAME_MAX_BYTES + 1)

/** A path as a request spelled it: where it leads, and whether it ended with a slash. */
export interface SpelledPath {
  path: TreePath
  /** The request spelled the path as a folder: `/docs/` and not `/docs`. */
  asFolder: boolean
}

/**
 * Reads a decoded path: drops empty and `.` segments and resolves `..`, never above the root
 * (docs/decisions.md 2). Bytes that are not UTF-8 get their one spelling (names.ts).
 *
 * @throws Fault badRequest for a NUL character, for too many levels, and for too many characters.
 */
export function parsePath(text: string): TreePath {
  if (text.length > PATH_MAX_CHARACTERS) {
    throw new Fault('badRequest', `A path has at most ${PATH_MAX_CHARACTERS} characters.`)
  }
  if (text.includes('\0')) throw new Fault('badRequest', 'A path cannot hold a NUL character.')
  const segments: string[] = []
  for (const segment of canonicalName(text).split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') segments.pop()
    else segments.push(segment)
  }
  if (segments.length > DEPTH_MAX) throw tooDeep()
  return `/${segments.join('/')}` as TreePath
}

/**
 * Reads the path part of a URL, percent-decoding each segment exactly once.
 *
 * An encoded slash (`%2F`) separates like a plain one, so no segment can smuggle a second path.
 *
 * @throws Fault badRequest for a segment that does not decode to UTF-8, or a NUL character.
 */
export function parseUrlPath(encoded: string): SpelledPath {
  const decoded = encoded.split('/').map(decodeSegment).join('/')
  const lastSegment = decoded.slice(decoded.lastIndexOf('/') + 1)
  return {
    path: parsePath(decoded),
    asFolder: lastSegment === '' || lastSegment === '.' || lastSegment === '..',
  }
}

/**
 * Percent-decodes one piece of a URL.
 *
 * @throws Fault badRequest when it is not valid percent-encoded UTF-8.
 */
export function decodeSegment(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw new Fault('badRequest', `The path is not valid percent-encoding: ${encoded}`)
  }
}

/** The path for a URL: every segment encoded, the leading slash kept, `/` at the end when `asFolder`. */
export function toUrlPath(path: TreePath, asFolder = false): string {
  const encoded = path.split('/').map(encodeSegment).join('/')
  return asFolder && encoded !== '/' ? `${encoded}/` : encoded
}

/** One name for a URL. A name of only dots cannot occur in a TreePath, so `.` needs no escape. */
export function encodeSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed())
}

/**
 * The path of a name inside `folder`.
 *
 * @throws Fault badRequest when it is not a single proper name, or lies too deep.
 */
export function childPath(folder: TreePath, spelled: string): TreePath {
  const name = spelled.length > NAME_MAX_BYTES ? spelled : canonicalName(spelled)
  const problem = nameProblem(name)
  if (problem) throw new Fault('badRequest', `${problem}: ${name.slice(0, NAME_MAX_BYTES)}`)
  // Two characters a level at least: most paths need no counting.
  if (folder.length >= 2 * DEPTH_MAX && segmentsOf(folder).length >= DEPTH_MAX) throw tooDeep()
  return (folder === ROOT ? `/${name}` : `${folder}/${name}`) as TreePath
}

/** `relative` (any number of segments, cleaned) below `folder`; never above it. */
export function joinPath(folder: TreePath, relative: string): TreePath {
  const below = parsePath(relative)
  if (below === ROOT) return folder
  return folder === ROOT ? below : (`${folder}${below}` as TreePath)
}

/** The folder that holds `path`; the root holds itself. */
export function parentPath(path: TreePath): TreePath {
  const cut = path.lastIndexOf('/')
  return (cut <= 0 ? '/' : path.slice(0, cut)) as TreePath
}

/** The last segment; empty for the root. */
export function nameOf(path: TreePath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The segments from the root down; none for the root. */
export function segmentsOf(path: TreePath): string[] {
  return path === ROOT ? [] : path.slice(1).split('/')
}

/** Whether `path` is `folder` itself or lies anywhere below it. Ends at segment boundaries. */
export function isInside(path: TreePath, folder: TreePath): boolean {
  return folder === ROOT || path === folder || path.startsWith(`${folder}/`)
}

/**
 * `path` seen from `folder`, as an absolute path of its own tree: `/a/b` from `/a` is `/b`.
 *
 * @throws Fault internal when `path` is not inside `folder`.
 */
export function relativePath(path: TreePath, folder: TreePath): TreePath {
  if (!isInside(path, folder)) throw new Fault('internal', 'The path leads outside the folder.')
  if (folder === ROOT) return path
  return (path.slice(folder.length) || '/') as TreePath
}

/** The text after the last dot, with the dot, in its own case; `.env` for `.env` (docs/api.md 8.1). */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot)
}

function tooDeep(): Fault {
  return new Fault('badRequest', `A path has at most ${DEPTH_MAX} levels.`)
}

/** Why `name` cannot be the name of one thing in a folder, as words; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'A name cannot be empty'
  if (name === '.' || name === '..') return 'This name is reserved'
  if (name.includes('/')) return 'A name cannot hold a slash'
  if (name.includes('\0')) return 'A name cannot hold a NUL character'
  if (name.length > NAME_MAX_BYTES || bytesOfName(name).length > NAME_MAX_BYTES) {
    return 'This name is too long'
  }
  return undefined
}
