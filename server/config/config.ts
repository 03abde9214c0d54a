/** The options with their values. */
import type { DatabaseAddress } from './database-address.ts'
import type { Option } from './option.ts'
import type { OptionKey } from './options.ts'
import type { OptionValue } from './values.ts'

/** The options in the database: key → value as written. */
export type StoredOptions = Readonly<Record<string, unknown>>

export type OptionOrigin = 'default' | 'database' | 'file' | 'environment' | 'flag'

export interface Setting {
  option: Option
  value: OptionValue | undefined
  origin: OptionOrigin
  /** The password that was written in the address of a database, and is in no value. */
  password?: string
}

/** The paths of the server's own files, resolved when the options were read. */
export interface ConfigPaths {
  /** Not a path if the database is on a server. */
  database: DatabaseAddress
  /** The database of a command without options; it need not exist. */
  usualDatabase: string
  /** filemgr's folder in the user's cache folder. */
  cache: string
  /** The folder of previews. */
  previews: string
  /** All paths where a configuration file is searched. */
  configFiles: readonly string[]
}

/** The options with their values and origins. */
export interface Config {
  /** The configuration file that was read, if any. */
  file: string | undefined
  settings: ReadonlyMap<string, Setting>
  paths: ConfigPaths
  /** Messages for the operator about ignored or deprecated options. */
  notices: readonly string[]
  /**
   * The folder that is served with a database: as configured, otherwise as the database names it, otherwise the
   * default.
   *
   * @throws Fault for a database that cannot be read
   */
  rootWith(database: string): string
  /**
   * Adds the options stored in the database. They are added later, because an option names the database.
   *
   * @throws as `loadConfig`
   */
  withStored(stored: StoredOptions): Config
  text(key: OptionKey): string
  number(key: OptionKey): number
  flag(key: OptionKey): boolean
  args(key: OptionKey): string[]
}
