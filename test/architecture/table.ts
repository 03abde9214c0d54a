/** The table of modules as ARCHITECTURE.md shows it. */
import { MODULES } from './modules.ts'

const BETWEEN = /(<!-- modules -->\n)[\s\S]*?(<!-- \/modules -->)/

/** @returns the document with the table of today between its two marks */
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
    BETWEEN,
    (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
  )
}
