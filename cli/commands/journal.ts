/** filemgr journal: lists and undoes changes. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { operatorScope } from '#server/journal/operator.ts'
import { AbsentRoot } from '#server/served-root.ts'
import { Fault } from '#wire/fault.ts'
import { withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addListOptions, limitOf, pathCell } from '../list-options.ts'
import { parseNumber } from '../number-argument.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printTable } from '../table.ts'
import { withTree } from '../tree.ts'

export function journalCommand(program: Command, io: Io): void {
  const journal = program.command('journal').description('list and undo changes of files')
  listEntries(journal, io)
  undoEntries(journal, io)
  pruneTrash(journal, io)
}

function listEntries(journal: Command, io: Io): void {
  const list = journal.command('ls').description('list changes, newest first')
  addListOptions(list, 'changes')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async ({ rows }) => {
        const limit = limitOf(flags)
        const username = flags.user === undefined ? undefined : String(flags.user)
        const entries = (await rows.journal.list({ username }, limit)).map((entry) => ({
          id: entry.id,
          time: new Date(entry.atMs).toISOString(),
          username: entry.username,
          client: entry.client,
          verb: entry.verb,
          path: entry.path,
          to: entry.to,
          undoOf: entry.undoOf,
          undoneBy: entry.undoneBy,
          root: entry.root,
        }))
        const cells = entries.map(({ id, time, username, verb, path, to, undoneBy }) => [
          id,
          time,
          username,
          verb,
          pathCell(path, to),
          undoneBy === 0 ? '' : `by ${undoneBy}`,
        ])
        const head = ['ENTRY', 'TIME', 'USER', 'CHANGE', 'PATH', 'UNDONE']
        printTable(io, head, cells, flags.json === true, entries)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr journal ls --user anna')
  addOptions(list, isLocationOption, io)
}

function undoEntries(journal: Command, io: Io): void {
  const undo = journal
    .command('undo')
    .description('undo changes, in the order they are named')
    .argument('<entry...>', 'the number of an entry, as in `journal ls`')
    .action((numbers: string[], flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        for (const number of numbers) {
          const entry = await core.rows.journal.findAny(parseNumber(number, 'journal ls'))
          if (!entry) throw new Fault('notFound', `There is no entry ${number} in the journal.`)
          await withTree(core, entry.root, async (tree) => {
            const scope = operatorScope(tree.storage, tree.journal, core.shares)
            const undoEntry = await tree.undo.undo(scope, entry.id)
            io.out(`Undid entry ${entry.id}. The undo is entry ${undoEntry}.`)
          })
        }
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr journal undo 42 41')
  addOptions(undo, isLocationOption, io)
}

function pruneTrash(journal: Command, io: Io): void {
  const prune = journal
    .command('prune')
    .description('permanently delete trash and earlier versions that are older than the limits')
    .option('--all', 'delete everything in the trash and all earlier versions')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        let count = 0
        for (const root of await core.rows.trash.roots()) {
          if (!existsSync(root)) {
            io.err(`The folder ${root} does not exist. Its trash stays.`)
            continue
          }
          try {
            await withTree(core, root, async ({ trash, journal: entries }) => {
              if (flags.all === true) {
                const { deleted, away } = await trash.empty()
                count += deleted
                if (away > 0) io.err(`${staying(away)} in ${root}: the disk is not mounted.`)
              } else count += await trash.prune()
              await entries.deleteOldEntries()
            })
          } catch (error) {
            if (!(error instanceof AbsentRoot)) throw error
            io.err(error.operatorMessage)
          }
        }
        io.out(
          count === 1
            ? '1 item was permanently deleted.'
            : `${count} items were permanently deleted.`,
        )
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr journal prune --all')
  addOptions(prune, (option) => isLocationOption(option) || isLimit(option), io)
}

function staying(count: number): string {
  return count === 1 ? '1 item stays' : `${count} items stay`
}

/** Whether an option is a limit of trash or journal; a running server may have other limits. */
function isLimit({ key }: { key: string }): boolean {
  return /^(trash|journal)[A-Z]/.test(key)
}
