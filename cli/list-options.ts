/** What lists of changes and of jobs share: whose they are, and how many are shown. */
import type { Command } from 'commander'
import { Fault } from '#wire/fault.ts'
import type { Flags } from './options.ts'

const LIMIT = '50'

/** @param what is listed: `changes` */
export function addListOptions(command: Command, what: string): Command {
  return command
    .option('-u, --user <username>', `the ${what} of one user`)
    .option('-n, --limit <number>', 'how many at most', LIMIT)
    .option('--json', 'print JSON')
}

/** @throws Fault badRequest */
export function limitOf(flags: Flags): number {
  const limit = Number(flags.limit)
  if (Number.isSafeInteger(limit) && limit >= 1) return limit
  throw new Fault('badRequest', '--limit wants a number.')
}

/** A path, and where what was there went; `to` is empty where nothing went anywhere. */
export function pathCell(path: string, to: string): string {
  return to === '' ? path : `${path} → ${to}`
}
