/**
 * From a line of text to a list of arguments. No shell string is ever built from what a person or a
 * file name says (docs/decisions.md 17).
 */
import { Fault } from '#wire/fault.ts'

/**
 * Splits a line as a POSIX shell would: words, quotes, backslashes, and a comment from a `#` that
 * begins a word. Nothing else has a meaning: `;`, `|`, `$` and `*` are letters like any other.
 *
 * @throws Fault badRequest for a quote that is not closed, a backslash at the end, a NUL character
 */
export function splitLine(line: string): string[] {
  if (line.includes('\0')) throw new Fault('badRequest', 'A command cannot hold a NUL character.')
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at)
    if (quote === "'" && letter !== quote) {
      word = (word ?? '') + letter
    } else if (letter === '\\') {
      at += 1
      if (at === line.length) throw new Fault('badRequest', 'Nothing follows the last backslash.')
      // A backslash before a line break joins the lines.
      if (line.charAt(at) !== '\n') word = (word ?? '') + escaped(line.charAt(at), quote)
    } else if (quote) {
      if (letter === quote) quote = ''
      else word = (word ?? '') + letter
    } else if (letter === "'" || letter === '"') {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (letter === '#' && word === undefined) {
      at = lineEnd(line, at)
    } else {
      word = (word ?? '') + letter
    }
  }
  if (quote) throw new Fault('badRequest', `A quote (${quote}) is not closed.`)
  if (word !== undefined) words.push(word)
  return words
}

/**
 * Whether the first of `words` is one of the programs a person may start. Names are compared letter by
 * letter: `ls` allows neither `lsof` nor `/bin/ls`.
 */
export function isAllowed(words: readonly string[], programs: readonly string[]): boolean {
  const [program] = words
  return program !== undefined && program !== '' && programs.includes(program)
}

/** What an event command knows, by the names it has in the environment (docs/api.md 6). */
export interface EventValues {
  FILE: string
  SCOPE: string
  TRIGGER: string
  USERNAME: string
  DESTINATION: string
}

/** An administrator's line for an event, ready to be started. */
export interface EventCommand {
  argv: string[]
  /** The line ended in `&`: nobody waits for it. */
  background: boolean
}

/**
 * Reads an event command. `$NAME` and `${NAME}` of the five values are filled in, each within its one
 * argument and never in the program's name. With a `shell` the line is its last argument, letter by
 * letter: there the values travel in the environment alone, so that no file name becomes a command.
 *
 * @throws Fault badRequest as `splitLine`, or for a line without a command
 */
export function eventCommand(
  line: string,
  values: EventValues,
  shell: readonly string[],
): EventCommand {
  const [, text = '', ampersand] = /^(.*?)\s*(&?)\s*$/s.exec(line) ?? []
  const background = ampersand === '&'
  const words = splitLine(text)
  const [program, ...args] = words
  if (program === undefined) throw new Fault('badRequest', 'The line holds no command.')
  if (shell.length > 0) return { argv: [...shell, text], background }
  return { argv: [program, ...args.map((word) => fillIn(word, values))], background }
}

function fillIn(word: string, values: EventValues): string {
  const names = Object.keys(values).join('|')
  const named = new RegExp(`\\$(?:(${names})\\b|\\{(${names})\\})`, 'g')
  return word.replace(named, (_, plain?: keyof EventValues, braced?: keyof EventValues) => {
    const name = plain ?? braced
    return name ? values[name] : ''
  })
}

/** Within double quotes a backslash means something only before these (POSIX 2.2.3). */
function escaped(letter: string, quote: string): string {
  return quote === '"' && !'"\\$`'.includes(letter) ? `\\${letter}` : letter
}

function lineEnd(line: string, from: number): number {
  const end = line.indexOf('\n', from)
  return end < 0 ? line.length : end
}
