/** Which installation a command looks at: the folder and the database, and where each is named. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config, OptionOrigin } from '#server/config/config.ts'
import { databaseText } from '#server/config/database-address.ts'
import type { OptionKey } from '#server/config/options.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import type { OpenedCore } from './core.ts'

export interface InstallationFolder {
  /** Its path on the disk. */
  path: string
  /** Where it is named: `on the command line`. */
  from: string
  /** Whether no folder is named, and none was served with the database: then it is the working folder. */
  isGuessed: boolean
  /** Whether a server has kept its files in it. */
  wasServed: boolean
}

/**
 * @param core undefined if there is no database
 * @returns the folder that a command means: the one that is named, else the one that was last served with the database
 */
export async function installationFolder(
  config: Config,
  core: Pick<OpenedCore, 'lastServed'> | undefined,
): Promise<InstallationFolder> {
  const written = config.text('root')
  const root = (await core?.lastServed.rootOf(config)) ?? written
  const path = resolve(root)
  const isNamed = originOf(config, 'root') !== 'default'
  return {
    path,
    from: isNamed || root === written ? sourceOf(config, 'root') : 'last served with this database',
    isGuessed: !isNamed && root === written,
    wasServed: existsSync(join(path, PRIVATE_FOLDER)),
  }
}

/** The database, and where it is named. */
export function installationDatabase(config: Config): string {
  return `${databaseText(config.paths.database)} (${sourceOf(config, 'database')})`
}

function sourceOf(config: Config, key: OptionKey): string {
  return SOURCES[originOf(config, key)](config)
}

function originOf(config: Config, key: OptionKey): OptionOrigin {
  return config.settings.get(key)?.origin ?? 'default'
}

const SOURCES: Record<OptionOrigin, (config: Config) => string> = {
  flag: () => 'named on the command line',
  environment: () => 'named in the environment',
  file: ({ file }) => `named in ${file}`,
  database: () => 'named in the database',
  default: () => 'the default',
}
