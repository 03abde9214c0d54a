/** Opens the database for a verb and closes it after; a running server notices what was changed. */

import { loadConfig } from '#server/config/load.ts'
import { type Office, openOffice } from '#server/office.ts'
import type { Io } from './io.ts'
import { type Flags, writtenFlags } from './options.ts'

/** @throws whatever `work` throws, and a Fault for a database that cannot be used */
export async function withOffice<T>(
  io: Io,
  flags: Flags,
  work: (office: Office) => T | Promise<T>,
): Promise<T> {
  const file = flags.config as string | undefined
  const office = openOffice(loadConfig({ flags: writtenFlags(flags), env: io.env, file }), io.env)
  try {
    return await work(office)
  } finally {
    office.close()
  }
}

/** The options that say where the database is: every verb has them. */
export function isPlaceOption({ key }: { key: string }): boolean {
  return key === 'database'
}
