/** filemgr cmds: the commands that run before and after file events (docs/api.md 6). */
import type { Command } from 'commander'
import { HOOK_NAMES, type HookName } from '#wire/api/events.ts'
import { Fault } from '#wire/fault.ts'
import { recordChange } from '../audit.ts'
import { type OpenedCore, withCore, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { parseNumber } from '../number-argument.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printTable } from '../table.ts'

export function cmdsCommand(program: Command, io: Io): void {
  const cmds = program
    .command('cmds')
    .description(
      'manage commands that run before and after uploads, saves, copies, renames and deletions',
    )
  addCommand(cmds, io)
  listCommands(cmds, io)
  removeCommands(cmds, io)
}

function addCommand(cmds: Command, io: Io): void {
  const add = cmds
    .command('add')
    .description('add a command; with & at the end it runs in the background')
    .argument('<event>', 'before or after an event, such as after_upload')
    .argument('<command...>', 'the program and its arguments')
    .action((event: string, args: string[], flags: Flags) =>
      withCore(io, flags, async (core) => {
        const hook = hookOf(event)
        await change(core, hook, (lines) => [...lines, args.join(' ')])
        print(io, core, [hook], flags)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr cmds add after_upload "touch /srv/log/$USERNAME"')
  addOptions(withJson(add), isLocationOption, io)
}

function listCommands(cmds: Command, io: Io): void {
  const list = cmds
    .command('ls')
    .description('list the commands with their numbers')
    .option(
      '-e, --event <event>',
      'only commands before and after this event: upload, save, copy, …',
    )
    .action((flags: Flags) =>
      withExistingCore(io, flags, (core) => {
        const event = flags.event as string | undefined
        const hooks = HOOK_NAMES.filter(
          (hook) => !event || [hook, hook.split('_')[1]].includes(event),
        )
        if (hooks.length === 0) throw unknownEvent(String(event))
        print(io, core, hooks, flags)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr cmds ls --event upload')
  addOptions(withJson(list), isLocationOption, io)
}

function removeCommands(cmds: Command, io: Io): void {
  const remove = cmds
    .command('rm')
    .description('remove a command, or all from the first number to the last')
    .argument('<event>')
    .argument('<number>')
    .argument('[last]')
    .action((event: string, first: string, last: string | undefined, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const hook = hookOf(event)
        await change(core, hook, (lines) => {
          const [from, to] = [numberOf(first, lines), numberOf(last ?? first, lines)]
          if (to < from) throw new Fault('badRequest', 'The last number is smaller than the first.')
          return lines.filter((_, index) => index < from || index > to)
        })
        print(io, core, [hook], flags)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr cmds rm after_upload 0')
  addOptions(withJson(remove), isLocationOption, io)
}

function withJson(command: Command): Command {
  return command.option('--json', 'print JSON')
}

/** @throws Fault badRequest (no such event) */
function hookOf(event: string): HookName {
  const hook = HOOK_NAMES.find((known) => known === event)
  if (hook) return hook
  throw unknownEvent(event)
}

function unknownEvent(event: string): Fault {
  return new Fault(
    'badRequest',
    `There is no event ${event}. The events are ${HOOK_NAMES.join(', ')}.`,
  )
}

function linesOf(core: OpenedCore, hook: HookName): string[] {
  return core.settings.get().commands[hook] ?? []
}

async function change(
  core: OpenedCore,
  hook: HookName,
  next: (lines: string[]) => string[],
): Promise<void> {
  await core.settings.changeCommands(hook, next)
  await recordChange(core, 'changeSettings')
}

/** @throws Fault badRequest (not a number), notFound (no such command) */
function numberOf(text: string, lines: string[]): number {
  const number = parseNumber(text, 'cmds ls')
  if (number < lines.length) return number
  throw new Fault(
    'notFound',
    `There is no command with the number ${text}. \`filemgr cmds ls\` lists the commands.`,
  )
}

function print(io: Io, core: OpenedCore, hooks: readonly HookName[], flags: Flags): void {
  const rows = hooks.flatMap((hook) =>
    linesOf(core, hook).map((line, index) => [hook, index, line]),
  )
  const value = Object.fromEntries(hooks.map((hook) => [hook, linesOf(core, hook)]))
  printTable(io, ['EVENT', 'NUMBER', 'COMMAND'], rows, flags.json === true, value)
}
