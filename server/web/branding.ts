/** The operator's branding: `custom.css` and pictures in the folder `branding.files` (docs/api.md 1.18). */
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseUrlPath, segmentsOf } from '#wire/paths.ts'

const CUSTOM_CSS = '/static/custom.css'
const PICTURES = '/static/img/'
const LOGO = `${PICTURES}logo.svg`

/** Whether the operator has a stylesheet. */
export function hasCustomCss(folder: string): boolean {
  return folder !== '' && existsSync(join(folder, 'custom.css'))
}

/** Whether the operator has a logo. */
export function hasLogo(folder: string): boolean {
  return brandingFile(folder, LOGO) !== undefined
}

/**
 * The branding file for a public address, which takes precedence over the built one.
 *
 * @param urlPath below the base path, still percent-encoded
 * @returns undefined if there is none
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

/** Links to targets outside the folder are not followed, because users may be able to create links in the folder. */
function fileBelow(folder: string, segments: string[]): Bun.BunFile | undefined {
  try {
    const root = realpathSync(folder)
    const path = realpathSync(join(root, ...segments))
    return path.startsWith(root + sep) && lstatSync(path).isFile() ? Bun.file(path) : undefined
  } catch {
    return undefined
  }
}
