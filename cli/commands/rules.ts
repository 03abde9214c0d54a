/** filemgr rules: the rules for all users or for one user (docs/api.md 5). */
import { type Command, Option } from 'commander'
import { withLeadingSlash } from '#wire/api/rules.ts'
import type { Rule } from '#wire/api/user.ts'
import { Fault } from '#wire/fault.ts'
import { recordChange } from '../audit.ts'
import { type OpenedCore, withCore, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { parseNumber } from '../number-argument.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printTable } from '../table.ts'

export function rulesCommand(program: Command, io: Io): void {
  const rules = program
    .command('rules')
    .description('manage rules for all users, or with --user for one user; the last match decides')
  addRule(rules, io)
  listRules(rules, io)
  removeRules(rules, io)
}

function addRule(rules: Command, io: Io): void {
  const add = rules
    .command('add')
    .description('deny a path and everything below it')
    .argument('<path|expression>')
    .option('-a, --allow', 'allow instead of deny')
    .option('-r, --regex', 'the argument is a regular expression, searched in the path')
    .action((text: string, flags: Flags) =>
      withCore(io, flags, async (core) => {
        const regex = flags.regex === true
        refuseUnusable(text, regex)
        const rule = withLeadingSlash({
          regex,
          allow: flags.allow === true,
          path: regex ? '' : text,
          regexp: regex ? { raw: text } : null,
        })
        await changeRules(core, flags, (rules) => [...rules, rule])
        printRules(io, await rulesOf(core, flags), flags)
      }),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  filemgr rules add /private\n  filemgr rules add --regex "\\.key$" --user anna',
    )
  addOptions(withUser(add), isLocationOption, io)
}

/** @throws Fault badRequest for a path that would match everything, or nothing */
function refuseUnusable(text: string, regex: boolean): void {
  if (text.trim() === '') throw new Fault('badRequest', 'The path or expression is empty.')
  if (!regex && text.split('/').some((name) => name === '.' || name === '..')) {
    throw new Fault('badRequest', 'The path of a rule may not contain . or .. as a name.')
  }
}

function listRules(rules: Command, io: Io): void {
  const list = rules
    .command('ls')
    .description('list the rules with their numbers')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async (core) =>
        printRules(io, await rulesOf(core, flags), flags),
      ),
    )
    .addHelpText('after', '\nExample:\n  filemgr rules ls --user anna')
  addOptions(withUser(list), isLocationOption, io)
}

function removeRules(rules: Command, io: Io): void {
  const remove = rules
    .command('rm')
    .description('remove a rule, or all from the first number to the last')
    .argument('<number>')
    .argument('[last]')
    .addOption(
      new Option('--index <number>', 'required by File Browser, which does not use it').hideHelp(),
    )
    .action((first: string, last: string | undefined, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        await changeRules(core, flags, (rules) => {
          const [from, to] = [numberOf(first, rules), numberOf(last ?? first, rules)]
          if (to < from) throw new Fault('badRequest', 'The last number is smaller than the first.')
          return rules.filter((_, index) => index < from || index > to)
        })
        printRules(io, await rulesOf(core, flags), flags)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr rules rm 0')
  addOptions(withUser(remove), isLocationOption, io)
}

function withUser(command: Command): Command {
  return command
    .option('-u, --user <id|username>', 'the rules of one user instead of those for all users')
    .addOption(asUser('--username <username>'))
    .addOption(asUser('-i, --id <id>'))
    .option('--json', 'print JSON')
}

/** An option of File Browser with the meaning of `--user`. The help does not show it. */
function asUser(optionFlags: string): Option {
  const option = new Option(optionFlags).hideHelp()
  option.attributeName = () => 'user'
  return option
}

async function rulesOf(core: OpenedCore, { user }: Flags): Promise<Rule[]> {
  return typeof user === 'string'
    ? (await core.users.getByNameOrId(user)).rules
    : core.settings.get().rules
}

/**
 * Reads, changes and stores the rules in one transaction: a change of another administrator at the same time is not
 * lost.
 *
 * @throws Fault badRequest for a rule that does not compile
 */
async function changeRules(
  core: OpenedCore,
  { user: nameOrId }: Flags,
  next: (rules: Rule[]) => Rule[],
): Promise<void> {
  if (typeof nameOrId !== 'string') {
    await core.settings.changeRules(next)
    await recordChange(core, 'changeSettings')
    return
  }
  const { username } = await core.atomically(async () => {
    const { id, rules } = await core.users.getByNameOrId(nameOrId)
    return core.users.update(id, { rules: next(rules) })
  })
  await recordChange(core, 'changeUser', { users: [username] })
}

/** @throws Fault badRequest (not a number), notFound (no such rule) */
function numberOf(text: string, rules: Rule[]): number {
  const number = parseNumber(text, 'rules ls')
  if (number >= rules.length)
    throw new Fault(
      'notFound',
      `There is no rule with the number ${text}. \`filemgr rules ls\` lists the rules.`,
    )
  return number
}

function printRules(io: Io, rules: Rule[], flags: Flags): void {
  const cells = rules.map((rule, index) => [
    index,
    rule.allow ? 'allow' : 'deny',
    rule.regex ? 'expression' : 'path',
    rule.regex ? (rule.regexp?.raw ?? '') : rule.path,
  ])
  printTable(io, ['NUMBER', 'WHAT', 'BY', 'PATH/EXPRESSION'], cells, flags.json === true, rules)
}
