/** filemgr shares: lists and removes the shares of all users. */
import type { Command } from 'commander'
import { recordChange } from '../audit.ts'
import { withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printTable } from '../table.ts'

export function sharesCommand(program: Command, io: Io): void {
  const shares = program.command('shares').description('list and remove shares')
  listShares(shares, io)
  removeShare(shares, io)
}

function listShares(shares: Command, io: Io): void {
  const list = shares
    .command('ls')
    .description('list the shares that have not expired')
    .option('--json', 'print JSON')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const names = new Map((await core.users.list()).map(({ id, username }) => [id, username]))
        const rows = (await core.shares.listAll()).map((share) => ({
          hash: share.hash,
          path: share.path,
          username: names.get(share.userId) ?? '',
          expires: share.expiresSec === 0 ? '' : new Date(share.expiresSec * 1000).toISOString(),
          hasPassword: share.passwordHash !== '',
        }))
        const cells = rows.map((row) => [
          row.hash,
          row.username,
          row.path,
          row.expires || 'never',
          row.hasPassword,
        ])
        const head = ['HASH', 'OWNER', 'PATH', 'ENDS', 'PASSWORD']
        printTable(io, head, cells, flags.json === true, rows)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr shares ls --json')
  addOptions(list, isLocationOption, io)
}

function removeShare(shares: Command, io: Io): void {
  const remove = shares
    .command('rm')
    .description('remove a share')
    .argument('<hash>', 'as listed by `shares ls`')
    .action((hash: string, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        await core.shares.removeAsOperator(hash)
        await recordChange(core, 'unshare', { share: hash })
        io.out(`Removed share ${hash}.`)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr shares rm qX3_b-9ZqX3_b-9Z')
  addOptions(remove, isLocationOption, io)
}
