/** Flags before the command, which File Browser accepts. */
import { resolveName } from '#server/config/aliases.ts'
import { OPTIONS } from '#server/config/options.ts'
import { takesValue } from './options.ts'

/**
 * Moves flags before the command behind its own arguments, but before `--`.
 *
 * @returns the arguments unchanged if they do not begin with flags, or if no command follows these flags
 */
export function withCommandFirst(
  args: readonly string[],
  isCommand: (word: string) => boolean,
): string[] {
  let count = 0
  while (isFlag(args[count])) count += 1 + valuesOf(args[count] ?? '', args[count + 1])
  const word = args[count]
  if (count === 0 || word === undefined || !isCommand(word)) return [...args]
  const end = args.indexOf('--', count)
  const own = args.slice(count, end < 0 ? undefined : end)
  return [...own, ...args.slice(0, count), ...args.slice(count + own.length)]
}

function isFlag(arg: string | undefined): boolean {
  return arg !== undefined && /^-[^-]|^--./.test(arg)
}

/** How many of the following arguments are values of a flag: one or none. */
function valuesOf(flag: string, next: string | undefined): 0 | 1 {
  const isLong = flag.startsWith('--')
  const isAttached = isLong ? flag.includes('=') : flag.length > 2
  if (isAttached || next === undefined) return 0
  const isSwitch = isLong ? isLongSwitch(flag.slice(2)) : isShortSwitch(flag.slice(1))
  return !isSwitch || /^(?:true|false)$/.test(next) ? 1 : 0
}

/** Flags of single commands, such as `--json`, are no options and have no value before the command. */
function isLongSwitch(name: string): boolean {
  if (name === 'config') return false
  const resolved = resolveName(name)
  return !resolved || !takesValue(name, resolved)
}

function isShortSwitch(letter: string): boolean {
  const option = OPTIONS.find(({ short }) => short === letter)
  return letter !== 'c' && (!option || option.type === 'flag')
}
