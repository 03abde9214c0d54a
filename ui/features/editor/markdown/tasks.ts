/** Check boxes of task lists in the source of a Markdown text. */
import { marked } from 'marked'
import { frontMatterOf } from './front-matter.ts'

/** A change of the source. */
export interface SourceChange {
  from: number
  to: number
  insert: string
}

/** A list item with a box, also inside quotations: the box is the last group. */
const TASK = /^((?:[ \t]*>)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+)\[([ xX])\](?=[ \t]+\S)/
const FENCE = /^(?:[ \t]*>)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/

/**
 * @param index the number of the box in the rendered text
 * @param count the number of boxes in the rendered text
 * @returns the change that ticks the box, or removes its tick; undefined if it is not certain which box it is
 */
export function toggleTask(source: string, index: number, count: number): SourceChange | undefined {
  const start = frontMatterOf(source)?.end ?? 0
  const boxes = boxesIn(source, start)
  const states = statesOf(source.slice(start))
  const from = boxes[index]
  if (from === undefined || boxes.length !== count || states.length !== count) return undefined
  const insert = states[index] ? ' ' : 'x'
  const changed = source.slice(start, from) + insert + source.slice(from + 1)
  const isOnlyOne = statesOf(changed).every(
    (state, at) => state === (at === index ? !states[at] : states[at]),
  )
  return isOnlyOne ? { from, to: from + 1, insert } : undefined
}

/** The positions of the characters inside the boxes. */
function boxesIn(source: string, start: number): number[] {
  const boxes: number[] = []
  let fence: string | undefined
  let at = start
  for (const line of source.slice(start).split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
    } else if (mark !== undefined) fence = mark
    else {
      const task = TASK.exec(line)
      if (task) boxes.push(at + (task[1] ?? '').length + 1)
    }
    at += line.length + 1
  }
  return boxes
}

/** Whether each box is ticked, in the order of the text. */
function statesOf(source: string): boolean[] {
  const states: boolean[] = []
  marked.walkTokens(marked.lexer(source), (token) => {
    if (token.type === 'checkbox' && 'checked' in token) states.push(token.checked === true)
  })
  return states
}
