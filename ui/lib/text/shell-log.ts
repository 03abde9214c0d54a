/** The log of the shell panel: command lines and their output. The oldest lines are dropped beyond a limit. */

import { ON_DEMAND_LIMITS } from '../on-demand-limits.ts'
import { ansiReader, type TextStyle } from './ansi.ts'

/** `note` and `error` are messages of the panel itself. */
export type LineKind = 'command' | 'input' | 'stdout' | 'stderr' | 'note' | 'error'

export interface Run {
  text: string
  style: TextStyle
}

export interface LogLine {
  /** Increases by one with each line. */
  id: number
  kind: LineKind
  runs: readonly Run[]
  /** For a command: the name of the folder it runs in. */
  folder?: string
}

/**
 * A group of consecutive lines. It stays the same object as long as none of them changes, so that only changed groups
 * are rendered again.
 */
export interface LogBlock {
  id: number
  lines: readonly LogLine[]
}

export interface LogView {
  blocks: readonly LogBlock[]
  /** The number of lines that were dropped. */
  dropped: number
}

export const EMPTY_LOG: LogView = { blocks: [], dropped: 0 }

/** Lines per block: a new line renders only its block again. */
const BLOCK_LINES = 200

export class ShellLog {
  readonly linesMax: number
  #readers = newReaders()
  #lines: LogLine[] = []
  #nextId = 0
  #dropped = 0
  /** Whether the next output of the same kind continues the last line. */
  #open = false
  #view = EMPTY_LOG

  /** @param linesMax the number of lines to keep */
  constructor(linesMax: number) {
    this.linesMax = linesMax
  }

  /** Adds a complete line. */
  add(kind: LineKind, text: string, folder?: string): void {
    this.#begin({ kind, runs: [{ text, style: {} }], ...(folder !== undefined && { folder }) })
    this.#open = false
  }

  /** Adds a chunk of a program's output. */
  write(kind: 'stdout' | 'stderr', chunk: string): void {
    for (const token of this.#readers[kind](chunk)) {
      if (token.type === 'newLine') {
        if (!this.#continues(kind)) this.#begin({ kind, runs: [] })
        this.#open = false
      } else if (token.type === 'lineStart') {
        if (this.#continues(kind)) this.#replace([])
      } else {
        this.#extend(kind, token)
      }
    }
  }

  /** Ends the output of a program: the output of the next program begins on a new line. */
  end(): void {
    this.#readers = newReaders()
    this.#open = false
  }

  clear(): void {
    this.#lines = []
    this.#dropped = 0
    this.#open = false
  }

  /** @returns the current lines; an unchanged block is the same object as in the last call */
  view(): LogView {
    const blocksBefore = new Map(this.#view.blocks.map((block) => [block.id, block]))
    const blocks: LogBlock[] = []
    for (let index = 0; index < this.#lines.length; ) {
      const id = Math.floor((this.#lines[index]?.id ?? 0) / BLOCK_LINES)
      const end = (id + 1) * BLOCK_LINES - (this.#lines[0]?.id ?? 0)
      const block = { id, lines: this.#lines.slice(index, end) }
      const blockBefore = blocksBefore.get(id)
      blocks.push(blockBefore && isSame(blockBefore, block) ? blockBefore : block)
      index = end
    }
    this.#view = { blocks, dropped: this.#dropped }
    return this.#view
  }

  #continues(kind: LineKind): boolean {
    return this.#open && this.#lines.at(-1)?.kind === kind
  }

  #extend(kind: LineKind, { text, style }: Run): void {
    const last = this.#lines.at(-1)
    const runs = last && this.#continues(kind) ? last.runs : []
    const length = runs.reduce((sum, run) => sum + run.text.length, 0)
    const fits = text.slice(0, ON_DEMAND_LIMITS.shellLineMaxChars - length)
    const more = text.slice(fits.length)
    if (fits !== '') {
      if (this.#continues(kind)) this.#replace([...runs, { text: fits, style }])
      else this.#begin({ kind, runs: [{ text: fits, style }] })
    }
    if (more === '') return
    this.#open = false
    this.#extend(kind, { text: more, style })
  }

  #begin(line: Omit<LogLine, 'id'>): void {
    this.#lines.push({ id: this.#nextId, ...line })
    this.#nextId += 1
    this.#open = true
    const excess = this.#lines.length - this.linesMax
    if (excess <= 0) return
    this.#lines.splice(0, excess)
    this.#dropped += excess
  }

  #replace(runs: readonly Run[]): void {
    const last = this.#lines.at(-1)
    if (last) this.#lines[this.#lines.length - 1] = { ...last, runs }
  }
}

function newReaders() {
  return { stdout: ansiReader(), stderr: ansiReader() }
}

/**
 * Whether two states of a block have the same lines. Lines are only added at the end, dropped at the beginning, and
 * extended while they are the last: so it is enough to compare the number, the first and the last.
 */
function isSame(one: LogBlock, other: LogBlock): boolean {
  return (
    one.lines.length === other.lines.length &&
    one.lines[0] === other.lines[0] &&
    one.lines.at(-1) === other.lines.at(-1)
  )
}
