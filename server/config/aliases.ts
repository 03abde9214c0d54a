/**
 * What File Browser's users call the options: their flags, environment names and file keys keep
 * working (docs/api.md 9.2, 9.4). Capitals, dashes and underscores never matter; here stands what
 * differs by more than that.
 */
import { LIVE_OPTIONS } from './live-options.ts'
import type { Option } from './option.ts'
import { findOption, isSameName } from './options.ts'

export interface Alias {
  /** As File Browser writes it. */
  name: string
  /** The option it is today. */
  key: string
  /** Theirs switches off what ours switches on. */
  negated?: true
  /** What a switch that is on stands for. */
  value?: string
}

/** File Browser names what new users begin with as if it were an option of its own. */
const NEW_USERS = 'defaults.'

export const ALIASES: readonly Alias[] = [
  { name: 'password', key: 'passwordHash' },
  { name: 'noauth', key: 'auth.method', value: 'noauth' },
  { name: 'tlsCert', key: 'cert' },
  { name: 'tlsKey', key: 'key' },
  { name: 'imgProcessors', key: 'imageProcessors' },
  { name: 'enableThumbnails', key: 'thumbnails' },
  { name: 'disableThumbnails', key: 'thumbnails', negated: true },
  { name: 'disablePreviewResize', key: 'resizePreview', negated: true },
  { name: 'enableExec', key: 'exec' },
  { name: 'disableExec', key: 'exec', negated: true },
  { name: 'disableTypeDetectionByHeader', key: 'typeDetectionByHeader', negated: true },
  ...LIVE_OPTIONS.filter(({ key }) => key.startsWith(NEW_USERS)).map(({ key }) => ({
    name: key.slice(NEW_USERS.length),
    key,
  })),
]

/** Options that are accepted and do nothing, each with the reason. */
const IGNORED_OPTIONS: Record<string, string> = {
  redisCacheUrl: 'unfinished uploads are kept in the database',
  imageResolutionCalculation: 'sizes of pictures are read when somebody asks for them',
  disableImageResolutionCalc: 'sizes of pictures are read when somebody asks for them',
  authHook: 'it never did anything; the command is auth.command',
  caseInsensitiveFs: 'the file system is asked',
}

/** The one option that is refused when it is switched on. */
const REFUSED = {
  name: 'followExternalSymlinks',
  why: 'links that lead out of the served folder are never followed; mount what they lead to inside it',
}

/** What a name says. */
export type ResolvedName =
  | { kind: 'option'; option: Option; alias: Alias | undefined }
  | { kind: 'needless'; why: string }
  | { kind: 'refused'; why: string }

/** Reads the name of an option, ours or File Browser's. @returns undefined for a word that is none */
export function resolveName(name: string): ResolvedName | undefined {
  const option = findOption(name)
  if (option) return { kind: 'option', option, alias: undefined }
  const alias = ALIASES.find((row) => isSameName(row.name, name))
  const meant = alias && findOption(alias.key)
  if (meant) return { kind: 'option', option: meant, alias }
  if (isSameName(REFUSED.name, name)) return { kind: 'refused', why: REFUSED.why }
  const ignored = Object.entries(IGNORED_OPTIONS).find(([known]) => isSameName(known, name))
  return ignored && { kind: 'needless', why: ignored[1] }
}

/** Names that only File Browser knows, for commands that take its flags. */
export const FOREIGN_NAMES: readonly string[] = [REFUSED.name, ...Object.keys(IGNORED_OPTIONS)]
