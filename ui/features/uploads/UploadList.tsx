import { useSignals } from '@preact/signals-react/runtime'
import { type UIEvent, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { rows } from '#ui/uploads/signals.ts'
import { UploadGroupRow } from './UploadGroupRow.tsx'
import { UploadRow } from './UploadRow.tsx'
import './UploadList.css'

/** Rows that exist at a time: more than the panel is high, so that thousands cost nothing. */
const EXISTING = 16
/** Of these, how many lie above the first that is seen. */
const ABOVE = 4

export function UploadList() {
  useSignals()
  const { t } = useTranslation()
  const [seen, setSeen] = useState(0)
  const all = rows.value
  const first = Math.max(0, Math.min(seen - ABOVE, all.length - EXISTING))

  function follow({ currentTarget: { scrollTop, firstElementChild } }: UIEvent<HTMLElement>) {
    const rowHeight = (firstElementChild?.clientHeight ?? 0) / all.length
    if (rowHeight > 0) setSeen(Math.floor(scrollTop / rowHeight))
  }

  if (all.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="UploadList" aria-label={t('uploads.list')} tabIndex={0} onScroll={follow}>
      <ul
        className="UploadList__rows"
        style={{ blockSize: `calc(${all.length} * var(--upload-row))` }}
      >
        {all.slice(first, first + EXISTING).map((item, at) => (
          <li
            key={'id' in item ? item.id : item.group}
            className="UploadList__place"
            aria-setsize={all.length}
            aria-posinset={first + at + 1}
            style={{ translate: `0 calc(${first + at} * var(--upload-row))` }}
          >
            {'id' in item ? <UploadRow task={item} /> : <UploadGroupRow group={item} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
