/**
 * File Browser's names of options: its flags, environment variables and file keys still work (docs/api.md 9.2, 9.4).
 * Case, dashes and underscores are ignored; this table has the other differences.
 */
import { LIVE_OPTIONS } from './live-options.ts'
import type { Option } from './option.ts'
import { byName, findOption, foldName } from './options.ts'

export interface Alias {
  /** The name in File Browser. */
  name: string
  /** The option of this server. */
  key: string
  /** Whether the switch has the opposite meaning. */
  isNegated?: true
  /** The value that the option gets if the switch is on. */
  value?: string
}

/** File Browser's options for the defaults of new users have no prefix. */
const NEW_USERS = 'defaults.'

const ALIASES: readonly Alias[] = [
  { name: 'password', key: 'passwordHash' },
  { name: 'noauth', key: 'auth.method', value: 'noauth' },
  { name: 'tlsCert', key: 'cert' },
  { name: 'tlsKey', key: 'key' },
  { name: 'imgProcessors', key: 'imageProcessors' },
  { name: 'enableThumbnails', key: 'thumbnails' },
  { name: 'disableThumbnails', key: 'thumbnails', isNegated: true },
  { name: 'disablePreviewResize', key: 'resizePreview', isNegated: true },
  { name: 'enableExec', key: 'exec' },
  { name: 'disableExec', key: 'exec', isNegated: true },
  { name: 'disableTypeDetectionByHeader', key: 'typeDetectionByHeader', isNegated: true },
  ...LIVE_OPTIONS.filter(({ key }) => key.startsWith(NEW_USERS)).map(({ key }) => ({
    name: key.slice(NEW_USERS.length),
    key,
  })),
]

/** Options that are accepted without effect. Key: the name in File Browser; value: the reason. */
const IGNORED_OPTIONS: Record<string, string> = {
  redisCacheUrl: 'unfinished uploads are kept in the database',
  imageResolutionCalculation: 'the sizes of pictures are read on request',
  disableImageResolutionCalc: 'the sizes of pictures are read on request',
  authHook: 'it had no effect; the command is auth.command',
  caseInsensitiveFs: 'the server detects it',
  lockPassword: 'it is an option of each user: `filemgr users update NAME --lockPassword`',
}

const ALIAS_BY_NAME = byName(ALIASES, ({ name }) => name)
const IGNORED_BY_NAME = byName(Object.entries(IGNORED_OPTIONS), ([name]) => name)

/** The option that is refused if it is enabled. */
const REFUSED = {
  name: 'followExternalSymlinks',
  why: 'links to targets outside the served folder are never followed; mount such a target inside the folder',
}

/** The meaning of an option name. */
export type ResolvedName =
  | { kind: 'option'; option: Option; alias: Alias | undefined }
  | { kind: 'ignored'; why: string }
  | { kind: 'refused'; why: string }

/**
 * Resolves the name of an option, ours or File Browser's.
 *
 * @returns undefined for an unknown name
 */
export function resolveName(name: string): ResolvedName | undefined {
  const option = findOption(name)
  if (option) return { kind: 'option', option, alias: undefined }
  const folded = foldName(name)
  const alias = ALIAS_BY_NAME.get(folded)
  const target = alias && findOption(alias.key)
  if (target) return { kind: 'option', option: target, alias }
  if (folded === foldName(REFUSED.name)) return { kind: 'refused', why: REFUSED.why }
  const ignored = IGNORED_BY_NAME.get(folded)
  return ignored && { kind: 'ignored', why: ignored[1] }
}
