import { useMemo } from 'react'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { type DiffRow, diffLines } from '#ui/lib/text/diff-lines.ts'
import './VersionDiff.css'

/** The number of unchanged lines shown around changed ones. */
const CONTEXT = 3

/** One version of a text, with its label. */
interface Version {
  title: string
  text: string
}

interface VersionDiffProps {
  label: string
  /** The earlier version, or the one that the server has. */
  left: Version
  right: Version
}

/**
 * Two versions of a text side by side: the changed lines, and some lines around them; or a message that all lines are
 * the same.
 */
export function VersionDiff({ label, left, right }: VersionDiffProps) {
  const { t } = useTranslation()
  const rows = useMemo(
    () => collapseUnchanged(diffLines(left.text, right.text)),
    [left.text, right.text],
  )
  // Line ends are not compared, so texts that differ only in them have no changed row.
  if (rows.every(({ kind }) => kind === 'gap')) {
    return <Notice>{t('prompts.compareVersion.same')}</Notice>
  }
  const shown = rows.slice(0, ON_DEMAND_LIMITS.diffRowsMax)
  const hidden = rows.slice(shown.length).filter(({ kind }) => kind === 'line').length
  return (
    <section
      className="VersionDiff"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{left.title}</th>
            <th scope="col">{right.title}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) =>
            row.kind === 'gap' ? (
              <tr key={row.index} className="VersionDiff__gap">
                <td colSpan={2}>⋯</td>
              </tr>
            ) : (
              <tr key={row.index} data-changed={!row.isSame || undefined}>
                <Side text={row.left} />
                <Side text={row.right} />
              </tr>
            ),
          )}
          {hidden > 0 && (
            <tr className="VersionDiff__gap">
              <td colSpan={2}>
                {t('prompts.more', { count: hidden, value: formatNumber(hidden) })}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

function Side({ text }: { text: string | undefined }) {
  return (
    <td data-missing={text === undefined || undefined} dir="auto">
      {text}
    </td>
  )
}

type ShownRow = ({ kind: 'line' } & DiffRow & { index: number }) | { kind: 'gap'; index: number }

/** Replaces unchanged lines that are not near a changed one by a gap; `index` is that of the first of them. */
function collapseUnchanged(rows: readonly DiffRow[]): ShownRow[] {
  const near = new Set<number>()
  for (const [index, row] of rows.entries()) {
    if (row.isSame) continue
    for (let line = index - CONTEXT; line <= index + CONTEXT; line += 1) near.add(line)
  }
  return rows.flatMap((row, index): ShownRow[] => {
    if (near.has(index)) return [{ kind: 'line', ...row, index }]
    return index === 0 || near.has(index - 1) ? [{ kind: 'gap', index }] : []
  })
}
