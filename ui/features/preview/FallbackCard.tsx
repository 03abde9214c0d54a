import { useState } from 'react'
import { actionOf, perform } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/controls/Button.tsx'
import { Card } from '#ui/components/feedback/Card.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { formatDate, formatExactSize, formatFullDate, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { kindOf } from '#ui/lib/entries/kinds.ts'
import { isLargeText } from '#ui/lib/entries/large-text.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { useViewerContext } from '#ui/state/action-context.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import type { ExcerptPart } from './excerpt.ts'
import { LargeText } from './LargeText.tsx'
import { Preview } from './Preview.tsx'
import './FallbackCard.css'

interface FallbackCardProps {
  file: FileEntry
  /** Why the file is not shown, if that is unexpected. */
  hint?: string
  /** Tries to show the file again. Without it, there is no button for that. */
  onRetry?: () => void
}

/** A file without a viewer: its information, and buttons to open or download it. */
export function FallbackCard({ file, hint, onRetry }: FallbackCardProps) {
  const { t } = useTranslation()
  const context = useViewerContext()
  const isBroken = file.type === 'invalid_link'
  const [part, setPart] = useState<ExcerptPart>()
  const [download, raw] = [actionOf('download'), actionOf('viewRaw')]
  const isText = isLargeText(file) && download.when(context)
  if (part) return <LargeText file={file} first={part} />
  return (
    <Preview>
      <Card className="FallbackCard">
        <FileIcon entry={file} />
        <h2 className="FallbackCard__name" dir="auto">
          {shownName(file.name).text}
        </h2>
        <p className="FallbackCard__facts" title={formatExactSize(file.size)}>
          {t(`kinds.${kindOf(file)}`)} · <bdi>{formatSize(file.size)}</bdi>
        </p>
        <p className="FallbackCard__facts" title={formatFullDate(file.modified)}>
          {formatDate(file.modified)}
        </p>
        {(hint || isBroken || isText) && (
          <p className="FallbackCard__hint">
            {hint ?? t(isBroken ? 'errors.brokenLink.pageHint' : 'viewer.largeText')}
          </p>
        )}
        {isText && (
          <div className="FallbackCard__actions">
            <Button onClick={() => setPart('start')}>{t('viewer.showStart')}</Button>
            <Button onClick={() => setPart('end')}>{t('viewer.showEnd')}</Button>
          </div>
        )}
        {(onRetry || download.when(context)) && (
          <div className="FallbackCard__actions">
            {onRetry && <Button onClick={onRetry}>{t('common.tryAgain')}</Button>}
            {download.when(context) && (
              <Button tone="accent" icon="download" onClick={() => perform(download)}>
                {t('actions.download')}
              </Button>
            )}
            {download.when(context) && raw.when(context) && (
              <Button icon={raw.icon} onClick={() => perform(raw)}>
                {t(raw.label)}
              </Button>
            )}
          </div>
        )}
      </Card>
    </Preview>
  )
}
