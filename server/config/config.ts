/** The options with their values. */
import type { Option } from './option.ts'
import type { OptionKey } from './options.ts'
import type { OptionValue } from './values.ts'

export type Stored = Readonly<Record<string, unknown>>

export type Origin = 'default' | 'database' | 'file' | 'environment' | 'flag'

export interface Setting {
  option: Option
  value: OptionValue | undefined
  origin: Origin
}

/** Where the server's own files lie on the disk, as it was when the options were read. */
export interface ConfigPaths {
  database: string
  /** filemgr's folder in the user's cache folder. */
  cache: string
  /** The folder of previews: named, or in that one. */
  previews: string
  /** Every path at which a configuration file is looked for. */
  configFiles: readonly string[]
}

/** The options, each with its value and where that came from. */
export interface Config {
  /** The file that was read, if any. */
  file: string | undefined
  settings: ReadonlyMap<string, Setting>
  paths: ConfigPaths
  /** Sentences for the operator: what was said and is not needed here. */
  notices: readonly string[]
  /**
   * The same with what the database keeps of this installation. Where the database lies has to be known
   * before.
   *
   * @throws as `loadConfig`
   */
  withStored(stored: Stored): Config
  text(key: OptionKey): string
  number(key: OptionKey): number
  flag(key: OptionKey): boolean
  args(key: OptionKey): string[]
}
