import {
  formatDate,
  formatDateRange,
  formatExactSize,
  formatFullDate,
  formatNumber,
  formatSize,
} from '#ui/i18n/format.ts'
import { t, useTranslation } from '#ui/i18n/i18n.ts'
import { kindOf } from '#ui/lib/kinds.ts'
import { sizeOf } from '#ui/lib/size-of.ts'
import type { Entry } from '#wire/entry.ts'
import { nameOf, parentPath, parsePath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { type Fact, Facts } from './Facts.tsx'

/** What there is to say of one thing, or of several of one folder together. */
export function SelectionFacts({ entries }: { entries: readonly Entry[] }) {
  useTranslation()
  const [first, ...others] = entries
  if (!first) return null
  const path = parsePath(first.path)
  const facts = [
    ...(others.length === 0 ? whatItIs(first, path) : [howMany(entries)]),
    ...sizeFact(entries),
    others.length === 0 ? whenChanged(first) : whenChangedAll(entries),
    ...whereItIs(path),
  ]
  return <Facts facts={facts} />
}

function whatItIs(entry: Entry, path: TreePath): Fact[] {
  return [
    { term: t('details.name'), text: nameOf(path) || t('places.home') },
    { term: t('details.kind'), text: t(`kinds.${kindOf(entry)}`) },
  ]
}

function howMany({ length }: readonly Entry[]): Fact {
  const text = t('details.items', { count: length, value: formatNumber(length) })
  return { term: t('details.selected'), text }
}

/** Of files only: what folders hold is not known without asking. */
function sizeFact(entries: readonly Entry[]): Fact[] {
  if (entries.every((entry) => entry.isDir)) return []
  const bytes = sizeOf(entries)
  return [{ term: t('details.size'), text: formatSize(bytes), title: formatExactSize(bytes) }]
}

function whenChanged({ modified }: Entry): Fact {
  return {
    term: t('details.modified'),
    text: formatDate(modified),
    title: formatFullDate(modified),
  }
}

function whenChangedAll(entries: readonly Entry[]): Fact {
  const times = entries.map((entry) => Date.parse(entry.modified)).filter(Number.isFinite)
  const from = times.reduce((a, b) => Math.min(a, b), times[0] ?? 0)
  const to = times.reduce((a, b) => Math.max(a, b), from)
  return { term: t('details.modified'), text: formatDateRange(new Date(from), new Date(to)) }
}

function whereItIs(path: TreePath): Fact[] {
  if (path === ROOT) return []
  const names = segmentsOf(parentPath(path)).join(' / ')
  return [{ term: t('details.in'), text: names || t('places.home') }]
}
