/** Options of the lists of changes and jobs: the user, and the number of rows. */
import type { Command } from 'commander'
import { Fault } from '#wire/fault.ts'
import type { Flags } from './options.ts'

const DEFAULT_LIMIT = '50'

/** @param noun what the command lists: `changes` */
export function addListOptions(command: Command, noun: string): Command {
  return command
    .option('-u, --user <username>', `the ${noun} of one user`)
    .option('-n, --limit <number>', 'the maximum number of rows', DEFAULT_LIMIT)
    .option('--json', 'print JSON')
}

/** @throws Fault badRequest (`--limit` is no whole number of at least 1) */
export function limitOf(flags: Flags): number {
  const limit = Number(flags.limit)
  if (Number.isSafeInteger(limit) && limit >= 1) return limit
  throw new Fault('badRequest', '--limit must be a whole number of at least 1.')
}

/** A path, and the destination of a copy or rename; `to` is empty if there is none. */
export function pathCell(path: string, to: string): string {
  return to === '' ? path : `${path} → ${to}`
}
