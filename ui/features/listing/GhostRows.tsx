// biome-ignore-all lint/a11y/useSemanticElements: rows of a grid that is no table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and these rows are never active
import { useSignals } from '@preact/signals-react/runtime'
import { memo } from 'react'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { Name } from '#ui/components/Name.tsx'
import { ProgressBar } from '#ui/components/ProgressBar.tsx'
import { formatPercent, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Ghost } from '#ui/uploads/ghosts.ts'
import './GhostRows.css'

/** Placeholders of uploads into the folder, below the entries. The upload panel has the buttons. */
export function GhostRows({ ghosts }: { ghosts: readonly Ghost[] }) {
  const { t } = useTranslation()
  return (
    <div className="GhostRows" role="rowgroup" aria-label={t('listing.arriving')}>
      {ghosts.map((ghost) => (
        <GhostRow key={ghost.name} ghost={ghost} />
      ))}
    </div>
  )
}

/** A leaf component: only it renders with each progress update. */
const GhostRow = memo(function GhostRow({ ghost: { name, item } }: { ghost: Ghost }) {
  useSignals()
  const { t } = useTranslation()
  const isDir = !('id' in item)
  const { state, sentBytes } = item.shown.value
  const total = 'id' in item ? item.sizeBytes : item.shown.value.totalBytes
  const share = state === 'done' ? 1 : total > 0 ? Math.min(1, sentBytes / total) : 0
  return (
    <div className="GhostRows__row" role="row" aria-disabled="true">
      <div className="GhostRows__name" role="gridcell">
        <span className="GhostRows__icon">
          <FileIcon entry={{ name, isDir, type: '' }} />
        </span>
        <Name>{name}</Name>
      </div>
      <div className="GhostRows__size" role="gridcell">
        <bdi>{formatSize(total)}</bdi>
      </div>
      <div className="GhostRows__progress" role="gridcell">
        <ProgressBar value={share} max={1} label={t('uploads.progressOf', { name })} />
        <bdi>{formatPercent(Math.floor(share * 100) / 100)}</bdi>
      </div>
    </div>
  )
})
