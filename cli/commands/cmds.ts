/** filemgr cmds: the commands that run before and after something happens to files (contract 6). */
import type { Command } from 'commander'
import type { Office } from '#server/office.ts'
import { HOOKS, type HookName } from '#wire/events.ts'
import { Fault } from '#wire/fault.ts'
import type { Io } from '../io.ts'
import { isPlaceOption, withOffice } from '../office.ts'
import { addOptions, type Flags } from '../options.ts'
import { printTable } from '../table.ts'

export function cmdsCommand(program: Command, io: Io): void {
  const cmds = program
    .command('cmds')
    .description('commands that run before and after uploads, saves, copies, renames and deletions')
  addCommand(cmds, io)
  listCommands(cmds, io)
  removeCommands(cmds, io)
}

function addCommand(cmds: Command, io: Io): void {
  const add = cmds
    .command('add')
    .description('add a command; with & at its end nobody waits for it')
    .argument('<event>', 'such as after_upload')
    .argument('<command...>')
    .action((event: string, words: string[], flags: Flags) =>
      withOffice(io, flags, (office) => {
        const hook = hookOf(event)
        store(office, hook, [...linesOf(office, hook), words.join(' ')])
        print(io, office, [hook], flags)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr cmds add after_upload "touch /srv/log/$USERNAME"')
  addOptions(withJson(add), isPlaceOption)
}

function listCommands(cmds: Command, io: Io): void {
  const list = cmds
    .command('ls')
    .description('list the commands with their numbers')
    .option('-e, --event <event>', 'only those before and after this: upload, save, copy, …')
    .action((flags: Flags) =>
      withOffice(io, flags, (office) => {
        const wanted = flags.event as string | undefined
        const hooks = HOOKS.filter((hook) => !wanted || [hook, hook.split('_')[1]].includes(wanted))
        if (hooks.length === 0) throw new Fault('notFound', `There is no event ${wanted}.`)
        print(io, office, hooks, flags)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr cmds ls --event upload')
  addOptions(withJson(list), isPlaceOption)
}

function removeCommands(cmds: Command, io: Io): void {
  const remove = cmds
    .command('rm')
    .description('remove a command, or all from the first number to the last')
    .argument('<event>')
    .argument('<number>')
    .argument('[last]')
    .action((event: string, first: string, last: string | undefined, flags: Flags) =>
      withOffice(io, flags, (office) => {
        const hook = hookOf(event)
        const now = linesOf(office, hook)
        const [from, to] = [numberOf(first, now), numberOf(last ?? first, now)]
        store(
          office,
          hook,
          now.filter((_, index) => index < from || index > to),
        )
        print(io, office, [hook], flags)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr cmds rm after_upload 0')
  addOptions(withJson(remove), isPlaceOption)
}

function withJson(command: Command): Command {
  return command.option('--json', 'print JSON')
}

/** @throws Fault notFound */
function hookOf(event: string): HookName {
  const hook = HOOKS.find((known) => known === event)
  if (hook) return hook
  throw new Fault('notFound', `There is no event ${event}; there are ${HOOKS.join(', ')}.`)
}

function linesOf(office: Office, hook: HookName): string[] {
  return office.settings.get().commands[hook] ?? []
}

function store(office: Office, hook: HookName, lines: string[]): void {
  const { settings } = office
  settings.setOptions([], { commands: { ...settings.get().commands, [hook]: lines } })
}

function numberOf(text: string, lines: string[]): number {
  const number = /^\d+$/.test(text) ? Number(text) : -1
  if (number >= 0 && number < lines.length) return number
  throw new Fault('notFound', `There is no command ${text}.`)
}

function print(io: Io, office: Office, hooks: readonly HookName[], flags: Flags): void {
  const rows = hooks.flatMap((hook) =>
    linesOf(office, hook).map((line, index) => [hook, index, line]),
  )
  const value = Object.fromEntries(hooks.map((hook) => [hook, linesOf(office, hook)]))
  printTable(io, ['EVENT', 'NUMBER', 'COMMAND'], rows, flags.json === true, value)
}
