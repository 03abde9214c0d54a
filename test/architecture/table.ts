/** The table of modules as ARCHITECTURE.md shows it. */
import { MODULES } from './modules.ts'

/** The table in the document, with the two marks around it. */
const MARKED_TABLE = /(<!-- modules -->\n)[\s\S]*?(<!-- \/modules -->)/

/** @returns the document with the current table between its two marks */
export function withTable(document: string): string {
  const rows = MODULES.map(({ module, purpose, modules, packages }) =>
    ['', `\`${module}\``, purpose, modules, packages, ''].join(' | ').trim(),
  )
  const head = [
    '| module | purpose | imports modules | imports packages |',
    '| --- | --- | --- | --- |',
  ]
  const table = [...head, ...rows].join('\n')
  return document.replace(
    MARKED_TABLE,
    (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
  )
}
