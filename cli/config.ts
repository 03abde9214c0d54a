/** Reads the options for a command. */
import type { Config } from '#server/config/config.ts'
import { loadConfig, noticeOfMissingFile, type Sources } from '#server/config/load.ts'
import { rootInDatabase } from '#server/takeover/root-in-database.ts'
import type { Io } from './io.ts'
import { type Flags, writtenFlags } from './options.ts'

/** The sources of options: the written flags, the environment, and a configuration file. */
export function configSources({ env }: Pick<Io, 'env'>, flags: Flags): Sources {
  const file = flags.config as string | undefined
  return { flags: writtenFlags(flags), env, file, rootIn: rootInDatabase }
}

/**
 * Reads the options, and prints a notice if the named configuration file is missing.
 *
 * @throws as `loadConfig`
 */
export function readConfig(io: Io, flags: Flags): Config {
  const sources = configSources(io, flags)
  const missing = noticeOfMissingFile(sources)
  if (missing !== undefined) io.err(missing)
  return loadConfig(sources)
}
