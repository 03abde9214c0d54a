import { useSignals } from '@preact/signals-react/runtime'
import { type UIEvent, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { rows } from '#ui/uploads/queue/signals.ts'
import type { Job } from '#wire/api/jobs.ts'
import { JobRow } from './JobRow.tsx'
import { UploadGroupRow } from './UploadGroupRow.tsx'
import { UploadRow } from './UploadRow.tsx'
import './ProgressList.css'

/** The number of upload rows that are rendered: enough to fill the card, however many uploads there are. */
const ROWS_RENDERED = 16
/** How many of the rendered rows are above the first visible one. */
const ABOVE = 4

/** Jobs, which are few and have any height, and below them uploads, which are many and have one height. */
export function ProgressList({ shown }: { shown: readonly Job[] }) {
  useSignals()
  const { t } = useTranslation()
  const [firstVisible, setFirstVisible] = useState(0)
  const all = rows.value
  const count = shown.length + all.length
  const first = Math.max(0, Math.min(firstVisible - ABOVE, all.length - ROWS_RENDERED))
  const rendered = all.slice(first, first + ROWS_RENDERED)

  function updateFirstVisible({ currentTarget: list }: UIEvent<HTMLElement>) {
    // With its border and its fraction of a pixel: an error would be multiplied by the number of rows.
    const row = list.querySelector('.ProgressList__upload')
    const rowHeight = row?.getBoundingClientRect().height ?? 0
    const above = list.scrollTop - (list.scrollHeight - all.length * rowHeight)
    if (rowHeight > 0) setFirstVisible(Math.max(0, Math.floor(above / rowHeight)))
  }

  if (count === 0) return null
  return (
    <section
      className="ProgressList"
      aria-label={t('progress.list')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
      tabIndex={0}
      onScroll={updateFirstVisible}
    >
      <ul style={{ paddingBlockEnd: spaceOf(all.length - first - rendered.length) }}>
        {shown.map((job, index) => (
          <li key={job.id} aria-setsize={count} aria-posinset={index + 1}>
            <JobRow job={job} />
          </li>
        ))}
        {rendered.map((item, index) => (
          <li
            key={'id' in item ? item.id : item.group}
            className="ProgressList__upload"
            aria-setsize={count}
            aria-posinset={shown.length + first + index + 1}
            style={index === 0 ? { marginBlockStart: spaceOf(first) } : undefined}
          >
            {'id' in item ? <UploadRow task={item} /> : <UploadGroupRow group={item} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The height of rows that are not rendered. */
function spaceOf(count: number): string {
  return `calc(${count} * var(--upload-row))`
}
