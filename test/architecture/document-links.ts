/** The links between documents, and the index of docs/decisions.md. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'
import { lineOf } from './sources.ts'

const LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g

/** @returns each link in the document to a file that does not exist, or to a heading that its document does not have */
export function wrongLinksIn(document: string): string[] {
  const text = readDocument(document)
  return [...text.matchAll(LINK)]
    .filter(({ 1: file = '', 2: anchor }) => {
      const target = file === '' ? document : normalize(join(dirname(document), file))
      if (!existsSync(join(REPO_ROOT, target))) return true
      return anchor !== undefined && !anchorsOf(readDocument(target)).includes(anchor)
    })
    .map(({ 0: link, index }) => `${document}:${lineOf(text, index)}: ${link.slice(1)}`)
}

/** @returns the decisions that are not exactly once in the index of docs/decisions.md */
export function wrongIndexEntries(): string[] {
  const text = readDocument('docs/decisions.md')
  const [, index = ''] = /^## Index\n([\s\S]*?)^## /m.exec(text) ?? []
  const links = [...index.matchAll(LINK)].map(({ 2: anchor }) => anchor)
  const decisions = anchorsOf(text.replace(/^##? .*/gm, ''))
  return decisions.filter((anchor) => links.filter((link) => link === anchor).length !== 1)
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function readDocument(path: string): string {
  return readFileSync(join(REPO_ROOT, path), 'utf8')
}
