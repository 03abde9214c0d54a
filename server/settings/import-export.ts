/**
 * Exports and imports settings as a document in File Browser's format (docs/api.md 9.4). Names are accepted in both
 * spellings, JSON's and YAML's.
 */

import { resolveName } from '#server/config/aliases.ts'
import type { Config } from '#server/config/config.ts'
import { type DocumentTree, isTree } from '#server/config/document.ts'
import { type OptionValue, parseAliased } from '#server/config/values.ts'
import { HOOK_NAMES } from '#wire/events.ts'
import { Fault } from '#wire/fault.ts'
import { type ImportReport, importRules } from '#wire/filebrowser-import.ts'
import type { GlobalSettings } from '#wire/settings.ts'
import { ruleShape } from '#wire/shapes.ts'
import { branchOf, fieldOf, invertNameOrder } from './filebrowser-format.ts'

/** The parsed and checked document. */
export interface ImportedSettings extends ImportReport {
  /** For the database. */
  live: [key: string, value: OptionValue][]
  /** For the configuration file, as written. */
  startup: [key: string, written: unknown][]
  rules: GlobalSettings['rules']
  commands: GlobalSettings['commands']
}

/** The settings that File Browser has too, except the signing key. */
export function exportSettings(settings: GlobalSettings, config: Config): DocumentTree {
  const { text, flag } = config
  return {
    settings: {
      signup: settings.signup,
      hideLoginButton: settings.hideLoginButton,
      createUserDir: settings.createUserDir,
      userHomeBasePath: settings.userHomeBasePath,
      defaults: { ...settings.defaults, sorting: invertNameOrder(settings.defaults.sorting) },
      authMethod: text('auth.method'),
      logoutPage: text('auth.logoutPage'),
      branding: settings.branding,
      tus: settings.tus,
      commands: Object.fromEntries(HOOK_NAMES.map((hook) => [hook, settings.commands[hook] ?? []])),
      shell: settings.shell,
      rules: settings.rules,
      minimumPasswordLength: settings.minimumPasswordLength,
      fileMode: config.number('fileMode'),
      dirMode: config.number('dirMode'),
    },
    server: {
      root: text('root'),
      baseURL: text('baseURL'),
      socket: text('socket'),
      tlsKey: text('key'),
      tlsCert: text('cert'),
      port: text('port'),
      address: text('address'),
      log: text('log'),
      enableThumbnails: flag('thumbnails'),
      resizePreview: flag('resizePreview'),
      enableExec: flag('exec'),
      typeDetectionByHeader: flag('typeDetectionByHeader'),
      tokenExpirationTime: `${config.number('tokenExpirationTime')}s`,
    },
    auther: auther(config),
  }
}

/**
 * Parses the whole document and reports every problem, before anything is changed.
 *
 * @throws Fault badRequest for a file of another kind
 */
export function readSettings(document: unknown): ImportedSettings {
  const settings = isTree(document) ? branchOf(document, 'settings') : undefined
  const server = isTree(document) ? branchOf(document, 'server') : undefined
  if (!isTree(document) || !settings || !server) {
    throw new Fault(
      'badRequest',
      'The file must contain both settings and server, as `config export` writes them.',
    )
  }
  const read: ImportedSettings = {
    live: [],
    startup: [],
    rules: [],
    commands: {},
    notices: [],
    problems: [],
  }
  for (const [name, value] of [...leaves(settings), ...leaves(server)]) takeLeaf(name, value, read)
  for (const [name, value] of autherLeaves(branchOf(document, 'auther')))
    takeLeaf(name, value, read)
  read.rules = readRules(fieldOf(settings, 'rules'), read)
  read.commands = readCommands(fieldOf(settings, 'commands'), read)
  turnStoredOrder(read.live)
  dropSharing(read)
  return read
}

function auther(config: Config): DocumentTree {
  const method = config.text('auth.method')
  if (method === 'proxy') return { header: config.text('auth.header') }
  if (method === 'hook') return { command: config.text('auth.command') }
  const [host, key, secret] = (['host', 'key', 'secret'] as const).map((name) =>
    config.text(`recaptcha.${name}`),
  )
  return method === 'json' ? { recaptcha: key || secret ? { host, key, secret } : null } : {}
}

function autherLeaves(auther: DocumentTree | undefined): [string, unknown][] {
  if (!auther) return []
  const captcha = branchOf(auther, 'recaptcha')
  const named = ['header', 'command'].flatMap((name): [string, unknown][] => {
    const value = fieldOf(auther, name)
    return value ? [[`auth.${name}`, value]] : []
  })
  return [...named, ...leaves(captcha ?? {}, 'recaptcha.')]
}

/** Fields that are not options: they are imported by other functions, or ignored, as the signing key is. */
const MOVED_FIELDS = ['key', 'rules', 'commands', 'hideDotfiles']
/** Key: File Browser's path of a field, in lower case; value: the option. */
const RENAMED: Record<string, string> = {
  authmethod: 'auth.method',
  logoutpage: 'auth.logoutPage',
  imageresolutioncal: 'imageResolutionCalculation',
}

function takeLeaf(written: string, value: unknown, read: ImportedSettings): void {
  if (value === null || MOVED_FIELDS.some((name) => name.toLowerCase() === written.toLowerCase()))
    return
  const folded = written.toLowerCase()
  const name = Object.hasOwn(RENAMED, folded) ? (RENAMED[folded] ?? written) : written
  const resolved = resolveName(name)
  if (resolved?.kind !== 'option') {
    const switchedOff = value === false || value === ''
    if (!switchedOff)
      read.notices.push(`${written} is left out${resolved ? `: ${resolved.why}` : ''}.`)
    return
  }
  let parsed: OptionValue | undefined
  try {
    parsed = parseAliased(resolved, value)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    // File Browser accepts any text here, and languages that this server lacks.
    if (resolved.option.type !== 'language') read.problems.push(error.message)
    else read.notices.push(`${written}: there is no language ${JSON.stringify(value)}; left out.`)
  }
  if (parsed === undefined) return
  if (resolved.option.isLive) read.live.push([resolved.option.key, parsed])
  else read.startup.push([resolved.option.key, resolved.alias ? parsed : value])
}

function readRules(value: unknown, report: ImportReport): GlobalSettings['rules'] {
  const parsed = ruleShape.array().safeParse(value ?? [])
  if (parsed.success) return importRules('rules for all users', parsed.data, report)
  const field = parsed.error.issues[0]?.path.join('.') ?? ''
  report.problems.push(`rules.${field}: each rule is a path or an expression.`)
  return []
}

/** New users may share only if they may download. */
function dropSharing({ live, notices }: ImportedSettings): void {
  const of = (right: string) => live.find(([key]) => key === `defaults.perm.${right}`)
  const [share, download, admin] = [of('share'), of('download'), of('admin')]
  if (!share?.[1] || !download || download[1] || admin?.[1]) return
  notices.push('defaults: perm.share is left out: it needs perm.download.')
  share[1] = false
}

/** Commands for unknown events are reported and dropped. */
function readCommands(value: unknown, report: ImportReport): GlobalSettings['commands'] {
  const commands: GlobalSettings['commands'] = {}
  for (const [event, lines] of Object.entries(isTree(value) ? value : {})) {
    const hook = HOOK_NAMES.find((known) => known === event.toLowerCase())
    if (!Array.isArray(lines ?? [])) report.problems.push(`commands.${event} is no list.`)
    else if (hook) commands[hook] = (Array.isArray(lines) ? lines : []).map(String)
    else report.notices.push(`commands.${event} is left out: there is no such event.`)
  }
  return commands
}

/** File Browser stores the sort order by name inverted (docs/decisions.md 4). */
function turnStoredOrder(live: ImportedSettings['live']): void {
  const by = live.find(([key]) => key === 'defaults.sorting.by')
  const asc = live.find(([key]) => key === 'defaults.sorting.asc')
  if (asc && (by === undefined || by[1] === 'name')) asc[1] = !asc[1]
}

function leaves(tree: DocumentTree, prefix = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([name, value]): [string, unknown][] => {
    const moved = prefix === '' && MOVED_FIELDS.some((known) => known === name.toLowerCase())
    return isTree(value) && !moved ? leaves(value, `${prefix}${name}.`) : [[prefix + name, value]]
  })
}
