/** The index of docs/decisions.md: a link to each decision. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'

/** @returns the headings of decisions that are not exactly once in the index, and links to headings that do not exist */
export function wrongIndexEntries(): string[] {
  const text = readFileSync(join(REPO_ROOT, 'docs/decisions.md'), 'utf8')
  const [, index = ''] = /^## Index\n([\s\S]*?)^## /m.exec(text) ?? []
  const links = [...index.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
  const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading)
  const anchors = headings.map(anchorOf)
  return [
    ...headings.filter((heading) => !isOnce(anchorOf(heading), links)),
    ...links.filter((link) => !anchors.includes(link)),
  ]
}

/** The anchor that GitHub gives to a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

function isOnce(anchor: string, links: readonly string[]): boolean {
  return links.filter((link) => link === anchor).length === 1
}
