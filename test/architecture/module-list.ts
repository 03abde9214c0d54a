/** The modules as ARCHITECTURE.md shows them: in groups, without what every module imports. */
import { MODULES, type Module } from './modules.ts'

/** The list in the document, with the two marks around it. */
const MARKED_LIST = /(<!-- modules -->\n)[\s\S]*?(<!-- \/modules -->)/
/** A module with more packages shows only their number. */
const PACKAGES_SHOWN = 6

/** The groups of modules, from what everything uses to what nothing imports. */
const GROUPS: Record<string, string[]> = {
  'Shared by all': ['server/wire', 'server/version.ts', 'server/lib', 'server/limits'],
  'The machine': [
    'server/os',
    'server/flush',
    'server/storage',
    'server/storage/local',
    'server/storage/portable',
    'server/db',
    'server/cluster',
  ],
  'What users do': [
    'server/access',
    'server/accounts',
    'server/settings',
    'server/shares',
    'server/files',
    'server/archives',
    'server/index',
    'server/jobs',
    'server/imports',
    'server/journal',
    'server/audit',
    'server/shell',
  ],
  'The outside': ['server/http', 'server/listen', 'server/web'],
  Composition: [
    'server/config',
    'server/core.ts',
    'server/served-root.ts',
    'server/shared-root.ts',
    'server/tree.ts',
    'server/isolation.ts',
    'server/app.ts',
    'server/server.ts',
    'server/absent-server.ts',
  ],
  'The command line, and what only it uses': [
    'cli',
    'attacks',
    'server/takeover',
    'server/backup',
    'server/build-info.ts',
  ],
  'The interface': [
    'ui/lib',
    'ui/i18n',
    'ui/api',
    'ui/state',
    'ui/uploads',
    'ui/actions',
    'ui/components',
    'ui/features',
    'ui/pages',
    'ui/app',
    'ui/main.tsx',
    'ui/worker',
    'ui/styles',
  ],
  'Build and checks': ['scripts', 'ui/vite.config.ts'],
}

/** @returns the document with the current modules between its two marks */
export function withModules(document: string): string {
  const groups = Object.entries(GROUPS).map(
    ([title, names]) => `**${title}**\n\n${names.map((name) => lineOf(rowOf(name))).join('\n')}`,
  )
  return document.replace(
    MARKED_LIST,
    (_, start: string, end: string) => `${start}\n${groups.join('\n\n')}\n\n${end}`,
  )
}

/** @returns the modules that are in no group or in several */
export function wrongGroups(): string[] {
  const grouped = Object.values(GROUPS).flat()
  return MODULES.map(({ module }) => module).filter(
    (module) => grouped.filter((name) => name === module).length !== 1,
  )
}

function rowOf(name: string): Module {
  const row = MODULES.find(({ module }) => module === name)
  if (!row) throw new Error(`There is no module ${name}.`)
  return row
}

function lineOf({ module, purpose, modules, packages }: Module): string {
  const imports = [...importedModules(module, modules), ...importedPackages(packages)]
  return `- \`${module}\`: ${purpose}${imports.length > 0 ? ` ← ${imports.join('; ')}` : ''}`
}

/** The modules of the same top folder, then those of other folders. */
function importedModules(module: string, cell: string): string[] {
  const top = `${module.split('/')[0]}/`
  const names = cell
    .split(', ')
    .filter((name) => name !== '' && !/^wire\b/.test(name))
    .map((name) => (name.startsWith(top) ? name.slice(top.length) : name))
    .map((name) => name.replace('(types)', '_(types)_'))
  const own = names.filter((name) => !name.startsWith('server/'))
  const ofServer = names.filter((name) => name.startsWith('server/'))
  const server = ofServer.map((name) => name.slice('server/'.length)).join(', ')
  return [own.join(', '), server && `of server: ${server}`].filter((part) => part !== '')
}

/** Packages, without what the platform brings. */
function importedPackages(cell: string): string[] {
  const names = cell.split(', ').filter((name) => name !== '' && !/^(?:node|bun):/.test(name))
  if (names.length === 0) return []
  if (names.length > PACKAGES_SHOWN) return [`${names.length} packages`]
  return [names.map((name) => `\`${name}\``).join(', ')]
}
