/** What was typed into the shell panel and what came of it, as lines; the oldest go when there are many. */
import { ansiReader, type TextStyle } from './ansi.ts'

/** `note` and `trouble` are sentences of the panel itself. */
export type LineKind = 'command' | 'input' | 'stdout' | 'stderr' | 'note' | 'trouble'

export interface Run {
  text: string
  style: TextStyle
}

export interface LogLine {
  /** Counts up. */
  id: number
  kind: LineKind
  runs: readonly Run[]
  /** Of a command: the name of the folder it runs in. */
  folder?: string
}

/** Neighbouring lines, the same object as long as none of them changes. */
export interface LogBlock {
  id: number
  lines: readonly LogLine[]
}

export interface LogView {
  blocks: readonly LogBlock[]
  /** How many lines are there no more. */
  dropped: number
}

export const EMPTY_LOG: LogView = { blocks: [], dropped: 0 }

const BLOCK_LINES = 200
/** A longer line goes on in the next. */
const LINE_CHARS = 8000

export class ShellLog {
  readonly #most: number
  #readers = newReaders()
  #lines: LogLine[] = []
  #nextId = 0
  #dropped = 0
  /** The last line may still grow. */
  #open = false
  #view = EMPTY_LOG

  /** @param most lines to keep */
  constructor(most: number) {
    this.#most = most
  }

  /** A line that is complete. */
  add(kind: LineKind, text: string, folder?: string): void {
    this.#begin({ kind, runs: [{ text, style: {} }], ...(folder !== undefined && { folder }) })
    this.#open = false
  }

  /** A piece of what a program writes. */
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

  /** A program has ended: the next one begins anew, on a line of its own. */
  end(): void {
    this.#readers = newReaders()
    this.#open = false
  }

  clear(): void {
    this.#lines = []
    this.#dropped = 0
    this.#open = false
  }

  /** The lines as they are now; what has not changed since the last look is the same object. */
  view(): LogView {
    const known = new Map(this.#view.blocks.map((block) => [block.id, block]))
    const blocks: LogBlock[] = []
    for (let at = 0; at < this.#lines.length; ) {
      const id = Math.floor((this.#lines[at]?.id ?? 0) / BLOCK_LINES)
      const end = (id + 1) * BLOCK_LINES - (this.#lines[0]?.id ?? 0)
      const block = { id, lines: this.#lines.slice(at, end) }
      const before = known.get(id)
      blocks.push(before && isSame(before, block) ? before : block)
      at = end
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
    const fits = text.slice(0, LINE_CHARS - length)
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
    const excess = this.#lines.length - this.#most
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

/** Lines only come at the end, go at the beginning, and grow while they are the last. */
function isSame(one: LogBlock, other: LogBlock): boolean {
  return (
    one.lines.length === other.lines.length &&
    one.lines[0] === other.lines[0] &&
    one.lines.at(-1) === other.lines.at(-1)
  )
}
