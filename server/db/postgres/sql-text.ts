/**
 * The SQL of the rows, for PostgreSQL. The texts are written so that both databases understand them; only parameters and a
 * few names differ. A number that is compared with another parameter would get the type of a small number, so each
 * parameter gets its type from its value.
 */
import type { Value } from '../database.ts'

/** A statement with the parameters of PostgreSQL. */
export interface Translated {
  /** The names of named parameters, in the order of their numbers; empty if they are numbered. */
  names: readonly string[]
  /** How many numbered parameters there are. */
  count: number
  /** The text for values of these types. */
  textFor(values: readonly Value[]): string
}

/** Quoted texts and names, comments, parameters (`?`, `?1`, `$name`), and calls. */
const TOKENS = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?(\d*)|\$([A-Za-z_]\w*)|\b(instr|json_each)\s*\(/g

/** Functions of SQLite → what PostgreSQL has instead. */
const FUNCTIONS: Record<string, string> = {
  instr: 'strpos(',
  json_each: 'json_array_elements_text((',
}

/** A piece of a text: SQL, or the number of a parameter. */
type Piece = string | number

/** @param sql a statement as for SQLite */
export function translate(sql: string): Translated {
  const names: string[] = []
  const pieces: Piece[] = []
  let [last, count] = [0, 0]
  for (const match of sql.matchAll(TOKENS)) {
    const [token, number, name, called] = match
    if (number === undefined && name === undefined && called === undefined) continue
    pieces.push(sql.slice(last, match.index))
    last = match.index + token.length
    if (called !== undefined) pieces.push(FUNCTIONS[called] ?? '')
    else if (name === undefined) {
      const position = number ? Number(number) : count + 1
      count = Math.max(count, position)
      pieces.push(position)
    } else {
      if (!names.includes(name)) names.push(name)
      pieces.push(names.indexOf(name) + 1)
    }
  }
  pieces.push(sql.slice(last))
  const whole = withJsonValues(pieces)
  return { names, count, textFor: (values) => textOf(whole, values) }
}

/** Gives the parameter of `json_each` its type, and the column its name. */
function withJsonValues(pieces: readonly Piece[]): Piece[] {
  let isOpen = false
  return pieces.flatMap((piece): Piece[] => {
    if (piece === FUNCTIONS.json_each) isOpen = true
    if (!isOpen || typeof piece === 'number' || piece === FUNCTIONS.json_each) return [piece]
    const end = piece.indexOf(')')
    if (end < 0) return [piece]
    isOpen = false
    return [`)::json) AS each (value)${piece.slice(end + 1)}`]
  })
}

function textOf(pieces: readonly Piece[], values: readonly Value[]): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : `$${piece}${typeOf(values[piece - 1])}`))
    .join('')
}

function typeOf(value: Value | undefined): string {
  if (typeof value === 'number' || typeof value === 'boolean') return '::bigint'
  if (typeof value === 'string') return '::text'
  return value instanceof Uint8Array ? '::bytea' : ''
}
