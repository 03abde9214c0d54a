import type { Command } from 'commander'

const TAKES_SWITCH_VALUE = /\[true\|false\]$/

/**
 * Gives each switch (an option that is `true` or `false`) without a value the value `true`. The parser would use the next
 * argument as the value, although it is a user name in `users update --perm.admin anna`.
 *
 * @param program the commands that the arguments may name
 */
export function withSwitchValues(program: Command, args: readonly string[]): string[] {
  const end = args.indexOf('--')
  const flags = end < 0 ? args : args.slice(0, end)
  const switches = switchesOf(program)
  const completed = flags.flatMap((arg, index) => {
    const hasValue = /^(?:true|false)$/.test(flags[index + 1] ?? '')
    return switches.has(arg) && !hasValue ? [arg, 'true'] : [arg]
  })
  return [...completed, ...args.slice(flags.length)]
}

/** The long and short forms of all switches of a command and its subcommands. */
function switchesOf(command: Command): Set<string | undefined> {
  const own = command.options.filter(({ flags }) => TAKES_SWITCH_VALUE.test(flags))
  return new Set([
    ...own.flatMap(({ long, short }) => [long, short]),
    ...command.commands.flatMap((inner) => [...switchesOf(inner)]),
  ])
}
