/** Opens the database for a verb and closes it after; a running server notices what was changed. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '#server/config/load.ts'
import { openCore } from '#server/core.ts'
import type { Io } from './io.ts'
import { type Flags, writtenFlags } from './options.ts'

/** With the tables that only a server and a few verbs read. */
export type OpenedCore = ReturnType<typeof openCore>

/**
 * @param options `dry` makes no database where there is none: the work finds an empty one, which goes again;
 *   `takesOver`: a database that is made is for an installation of File Browser
 * @throws whatever `work` throws, and a Fault for a database that cannot be used
 */
export async function withCore<T>(
  io: Io,
  flags: Flags,
  work: (core: OpenedCore) => T | Promise<T>,
  options: { dry?: boolean; takesOver?: boolean } = {},
): Promise<T> {
  const file = flags.config as string | undefined
  const load = (more: Flags = {}) =>
    loadConfig({ flags: { ...writtenFlags(flags), ...more }, env: io.env, file })
  const config = load()
  if (!options.dry || existsSync(config.paths.database)) {
    return during(openCore(config, options), work)
  }
  const folder = mkdtempSync(join(tmpdir(), 'filemgr-'))
  try {
    const database = join(folder, 'filemgr.db')
    return await during(openCore(load({ database })), work)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function during<T>(core: OpenedCore, work: (core: OpenedCore) => T | Promise<T>): Promise<T> {
  try {
    return await work(core)
  } finally {
    core.close()
  }
}

/** The options that say where the database is: every verb has them. */
export function isLocationOption({ key }: { key: string }): boolean {
  return key === 'database'
}
