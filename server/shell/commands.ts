/** Parses command lines. User input and file names are never passed to a shell as text (docs/decisions.md 17). */
import { Fault } from '#wire/fault.ts'

/** Other spaces, such as the no-break spaces in names of screenshots, are ordinary characters. */
const BLANK = /[ \t\r\n]/

/**
 * Splits a line into words as a POSIX shell does: quotes, backslashes, and a comment from a `#` at the start of a
 * word. Nothing else is special: `;`, `|`, `$` and `*` are ordinary characters.
 *
 * @throws Fault badRequest for an unclosed quote, a trailing backslash, a NUL character
 */
export function splitLine(line: string): string[] {
  if (line.includes('\0'))
    throw new Fault('badRequest', 'A command cannot contain a NUL character.')
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let index = 0; index < line.length; index += 1) {
    const letter = line.charAt(index)
    if (quote === "'" && letter !== quote) {
      word = (word ?? '') + letter
    } else if (letter === '\\') {
      index += 1
      if (index === line.length)
        throw new Fault(
          'badRequest',
          'The line ends with a backslash. Write a character after it.',
          {
            reason: 'backslashEnd',
          },
        )
      // A backslash before a line break joins the lines.
      if (line.charAt(index) !== '\n') word = (word ?? '') + escaped(line.charAt(index), quote)
    } else if (quote) {
      if (letter === quote) quote = ''
      else word = (word ?? '') + letter
    } else if (letter === "'" || letter === '"') {
      quote = letter
      word ??= ''
    } else if (BLANK.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (letter === '#' && word === undefined) {
      index = lineEnd(line, index)
    } else {
      word = (word ?? '') + letter
    }
  }
  if (quote) {
    const message = `A quotation mark (${quote}) is not closed.`
    throw new Fault('badRequest', message, { reason: 'quoteOpen' })
  }
  if (word !== undefined) words.push(word)
  return words
}

/**
 * Whether the first of `words` is one of the programs a user may start. Names must be equal: `ls` allows neither
 * `lsof` nor `/bin/ls`.
 */
export function isAllowed(words: readonly string[], programs: readonly string[]): boolean {
  const [program] = words
  return program !== undefined && program !== '' && programs.includes(program)
}

/** Whether a line contains a command, not only spaces and a comment. An invalid line does, so that its event fails. */
export function hasCommand(line: string): boolean {
  try {
    return splitLine(line).length > 0
  } catch {
    return true
  }
}

/** The variables of an event command, by their names in the environment (docs/api.md 6). */
export interface EventVariables {
  FILE: string
  SCOPE: string
  TRIGGER: string
  USERNAME: string
  DESTINATION: string
}

/** A parsed event command. */
export interface EventCommand {
  argv: string[]
  /** Whether the line ended in an unescaped `&`, so that the result is not awaited. */
  isBackground: boolean
}

/**
 * Parses an event command. `$NAME` and `${NAME}` of the five variables are replaced, each within its one argument and
 * never in the program's name. With a `shell` the line is its last argument unchanged, and the variables are only in
 * the environment, so that a file name cannot become a command.
 *
 * @throws Fault badRequest as `splitLine`, or for an empty line
 */
export function eventCommand(
  line: string,
  values: EventVariables,
  shell: readonly string[],
): EventCommand {
  const trimmed = line.trim()
  const isBackground = trimmed.endsWith('&') && !ENDS_ESCAPED.test(trimmed)
  const text = isBackground ? trimmed.slice(0, -1) : line
  const words = splitLine(text)
  const [program, ...args] = words
  if (program === undefined) throw new Fault('badRequest', 'The line does not contain a command.')
  if (shell.length > 0) return { argv: [...shell, text], isBackground }
  return { argv: [program, ...args.map((word) => fillIn(word, values))], isBackground }
}

/** An odd number of backslashes before the last character. */
const ENDS_ESCAPED = /(?<!\\)(?:\\\\)*\\.$/

function fillIn(word: string, values: EventVariables): string {
  const names = Object.keys(values).join('|')
  const named = new RegExp(`\\$(?:(${names})\\b|\\{(${names})\\})`, 'g')
  return word.replace(named, (_, plain?: keyof EventVariables, braced?: keyof EventVariables) => {
    const name = plain ?? braced
    return name ? values[name] : ''
  })
}

/** Within double quotes a backslash is special only before these characters (POSIX 2.2.3). */
function escaped(letter: string, quote: string): string {
  return quote === '"' && !'"\\$`'.includes(letter) ? `\\${letter}` : letter
}

function lineEnd(line: string, from: number): number {
  const end = line.indexOf('\n', from)
  return end < 0 ? line.length : end
}
