/** The operator's own look: `custom.css` and pictures from the folder `branding.files` (docs/api.md 1.18). */
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseUrlPath, segmentsOf } from '#wire/paths.ts'

const CUSTOM_CSS = '/static/custom.css'
const PICTURES = '/static/img/'
const LOGO = `${PICTURES}logo.svg`

/** Whether there is a stylesheet of the operator's. */
export function hasCustomCss(folder: string): boolean {
  return folder !== '' && existsSync(join(folder, 'custom.css'))
}

/** Whether there is a logo of the operator's. */
export function hasLogo(folder: string): boolean {
  return brandingFile(folder, LOGO) !== undefined
}

/**
 * A file of the folder at its public address: it comes before the built one of the same name.
 *
 * @param urlPath below the base path, still percent-encoded
 * @returns undefined where the folder holds nothing for this address
 * @throws Fault badRequest for an address that does not decode
 */
export function brandingFile(folder: string, urlPath: string): Bun.BunFile | undefined {
  if (folder === '') return undefined
  if (urlPath === CUSTOM_CSS) return fileBelow(folder, ['custom.css'])
  if (!urlPath.startsWith(PICTURES)) return undefined
  return fileBelow(folder, [
    'img',
    ...segmentsOf(parseUrlPath(urlPath.slice(PICTURES.length)).path),
  ])
}

/** Links that lead out of the folder are not followed: it may lie where people upload. */
function fileBelow(folder: string, segments: string[]): Bun.BunFile | undefined {
  try {
    const root = realpathSync(folder)
    const path = realpathSync(join(root, ...segments))
    return path.startsWith(root + sep) && lstatSync(path).isFile() ? Bun.file(path) : undefined
  } catch {
    return undefined
  }
}
