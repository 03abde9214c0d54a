/** Citations of documents in comments: `docs/api.md 1.7`, `docs/decisions.md 5 and 6`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'
import { lineOf } from './sources.ts'

const CITATION = /\b(docs\/[a-z-]+\.md)((?:,? (?:and )?\d+(?:\.\d+)*\b)*)/g
/** A document outside the repository, cited by its number: `contract 4`, `spec section 2.1`. */
const FOREIGN = /\b(?:contract|spec|decisions?) (?:sections? )?\d+(?:\.\d+)*/gi

/** @returns each citation in a comment of a document or a numbered heading that the repository does not have */
export function wrongCitationsIn(path: string): string[] {
  const text = readFileSync(join(REPO_ROOT, path), 'utf8')
  const inComments = (pattern: RegExp) =>
    [...text.matchAll(pattern)].filter(({ index }) => isComment(text, index))
  const cited = inComments(CITATION).flatMap(({ 1: name = '', 2: numbers = '', index }) => {
    const at = `${path}:${lineOf(text, index)}`
    if (!existsSync(join(REPO_ROOT, name))) return [`${at}: there is no ${name}`]
    const known = numbersIn(name)
    const missing = (numbers.match(/\d+(?:\.\d+)*/g) ?? []).filter((number) => !known.has(number))
    return missing.map((number) => `${at}: ${name} has no heading ${number}`)
  })
  const foreign = inComments(FOREIGN).map(
    ({ 0: citation, index }) => `${path}:${lineOf(text, index)}: ${citation}`,
  )
  return [...cited, ...foreign]
}

const numbers = new Map<string, ReadonlySet<string>>()

/** The numbers of a document's headings: `## 1. HTTP`, `### 1.7 Downloads`. */
function numbersIn(name: string): ReadonlySet<string> {
  const known = numbers.get(name)
  if (known) return known
  const text = readFileSync(join(REPO_ROOT, name), 'utf8')
  const found = new Set(
    [...text.matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm)].map(([, number]) => number ?? ''),
  )
  numbers.set(name, found)
  return found
}

function isComment(text: string, index: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
  return /^\s*(?:\/\*|\*|\/\/)|\/\*\*?|\/\//.test(line)
}
