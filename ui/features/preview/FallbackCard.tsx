import { actionOf, perform } from '#ui/actions/registry.ts'
import { Button } from '#ui/components/Button.tsx'
import { Card } from '#ui/components/Card.tsx'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { formatDate, formatExactSize, formatFullDate, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { kindOf } from '#ui/lib/kinds.ts'
import { rawUrl } from '#ui/lib/links.ts'
import { useSituation } from '#ui/state/situation.ts'
import type { FileEntry } from '#wire/entry.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import './FallbackCard.css'

/** A file without a viewer: what it is, and the ways to its bytes. */
export function FallbackCard({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  const now = useSituation()
  const download = actionOf('download')
  return (
    <div className="FallbackCard">
      <Card className="FallbackCard__sheet">
        <FileIcon entry={file} />
        <h2 className="FallbackCard__name" dir="auto">
          {file.name}
        </h2>
        <p className="FallbackCard__facts" title={formatExactSize(file.size)}>
          {t(`kinds.${kindOf(file)}`)} · <bdi>{formatSize(file.size)}</bdi>
        </p>
        <p className="FallbackCard__facts" title={formatFullDate(file.modified)}>
          {formatDate(file.modified)}
        </p>
        {now.may('download') && (
          <div className="FallbackCard__actions">
            <Button tone="accent" icon="download" onClick={() => perform(download)}>
              {t('actions.download')}
            </Button>
            <Button icon="external-link" onClick={() => openInTab(parsePath(file.path))}>
              {t('preview.open')}
            </Button>
          </div>
        )}
      </Card>
    </div>
  )
}

function openInTab(path: TreePath): void {
  window.open(rawUrl(path, true), '_blank', 'noopener')
}
