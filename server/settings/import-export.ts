/**
 * Exports and imports settings as a document in File Browser's format (docs/api.md 9.4). File Browser writes names in
 * camel case to JSON and in lower case to YAML; both are accepted.
 */

import { resolveName } from '#server/config/aliases.ts'
import type { Config } from '#server/config/config.ts'
import { type DocumentTree, isTree } from '#server/config/document.ts'
import { type OptionValue, parseAliased } from '#server/config/values.ts'
import { type ImportReport, importRules } from '#server/lib/filebrowser-rights.ts'
import { HOOK_NAMES } from '#wire/api/events.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { Fault } from '#wire/fault.ts'
import { ruleShape } from '#wire/shapes/shapes.ts'
import { branchOf, fieldOf, invertNameOrder } from './filebrowser-format.ts'

/** The parsed and checked document. */
export interface ImportedSettings extends ImportReport {
  /** Live options, which are stored in the settings. */
  live: [key: string, value: OptionValue][]
  /** Startup options with the values as written, which are stored as options of the installation. */
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
  const imported: ImportedSettings = {
    live: [],
    startup: [],
    rules: [],
    commands: {},
    notices: [],
    problems: [],
  }
  for (const [name, value] of [...withoutUnset(leaves(settings)), ...leaves(server)])
    importField(name, value, imported)
  for (const [name, value] of autherLeaves(branchOf(document, 'auther')))
    importField(name, value, imported)
  imported.rules = readRules(fieldOf(settings, 'rules'), imported)
  imported.commands = readCommands(fieldOf(settings, 'commands'), imported)
  invertStoredOrder(imported.live)
  dropSharing(imported)
  return imported
}

/** Settings that File Browser stores as 0 until they are chosen, as its `config init` does: 0 means the default. */
const ZERO_IS_UNSET = ['tus.chunksize', 'minimumpasswordlength', 'filemode', 'dirmode']

/** The settings without those that mean the default. No retries are a choice only if the size of chunks is one. */
function withoutUnset(fields: [string, unknown][]): [string, unknown][] {
  const isUnset = ([name, value]: [string, unknown]) =>
    value === 0 && ZERO_IS_UNSET.includes(name.toLowerCase())
  const hasNoChunkSize = fields.some(
    (field) => field[0].toLowerCase() === 'tus.chunksize' && isUnset(field),
  )
  return fields.filter(
    (field) =>
      !isUnset(field) &&
      !(hasNoChunkSize && field[0].toLowerCase() === 'tus.retrycount' && field[1] === 0),
  )
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
const OTHER_FIELDS = ['key', 'rules', 'commands', 'hideDotfiles']
/** Key: File Browser's path of a field, in lower case; value: the option. */
const RENAMED: Record<string, string> = {
  authmethod: 'auth.method',
  logoutpage: 'auth.logoutPage',
  imageresolutioncal: 'imageResolutionCalculation',
}

/** Adds a field of the document to `imported`, with a notice or a problem if it cannot be used as it is. */
function importField(written: string, value: unknown, imported: ImportedSettings): void {
  if (value === null || OTHER_FIELDS.some((name) => name.toLowerCase() === written.toLowerCase()))
    return
  const folded = written.toLowerCase()
  const name = Object.hasOwn(RENAMED, folded) ? (RENAMED[folded] ?? written) : written
  const resolved = resolveName(name)
  if (resolved?.kind !== 'option') {
    const isOff = value === false || value === ''
    if (!isOff)
      imported.notices.push(`${written} is left out${resolved ? `: ${resolved.why}` : ''}.`)
    return
  }
  let parsed: OptionValue | undefined
  try {
    parsed = parseAliased(resolved, value)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    // File Browser accepts any text here, and languages that this server lacks.
    if (resolved.option.type !== 'language') imported.problems.push(error.message)
    else
      imported.notices.push(`${written}: there is no language ${JSON.stringify(value)}; left out.`)
  }
  if (parsed === undefined) return
  if (resolved.option.isLive) imported.live.push([resolved.option.key, parsed])
  else imported.startup.push([resolved.option.key, resolved.alias ? parsed : value])
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
  const entryOf = (right: string) => live.find(([key]) => key === `defaults.perm.${right}`)
  const [share, download, admin] = ['share', 'download', 'admin'].map(entryOf)
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
function invertStoredOrder(live: ImportedSettings['live']): void {
  const by = live.find(([key]) => key === 'defaults.sorting.by')
  const asc = live.find(([key]) => key === 'defaults.sorting.asc')
  if (asc && (by === undefined || by[1] === 'name')) asc[1] = !asc[1]
}

/** The values of a document that are not tables, each with its path: `branding.name`. */
function leaves(tree: DocumentTree, prefix = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([name, value]): [string, unknown][] => {
    const isOther = prefix === '' && OTHER_FIELDS.some((known) => known === name.toLowerCase())
    return isTree(value) && !isOther ? leaves(value, `${prefix}${name}.`) : [[prefix + name, value]]
  })
}
