import { type ComponentType, Suspense, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { download } from '#ui/lib/page/download.ts'
import type { ArchiveSource } from '#ui/state/file/archive-source.ts'
import type { ArchiveItem } from '#wire/api/archive-contents.ts'
import type { TreePath } from '#wire/paths.ts'
import './ArchiveFile.css'

/** The props of the component that shows a text in an archive. */
export interface ArchiveTextProps {
  source: ArchiveSource
  name: string
  path: TreePath
}

interface ArchiveFileProps {
  source: ArchiveSource
  item: ArchiveItem
  Text: ComponentType<ArchiveTextProps>
}

/** Whether a file in an archive is shown: pictures, short texts, and PDF. */
export function isShown({ type, size }: Pick<ArchiveItem, 'type' | 'size'>): boolean {
  if (type === 'pdf') return navigator.pdfViewerEnabled
  if (type === 'image') return true
  return type === 'text' && size <= ON_DEMAND_LIMITS.compareMaxBytes
}

/** A file in an archive, with a button that downloads it. */
export function ArchiveFile({ source, item, Text }: ArchiveFileProps) {
  const { t } = useTranslation()
  return (
    <div className="ArchiveFile">
      <div className="ArchiveFile__stage">
        <Content source={source} item={item} Text={Text} />
      </div>
      <div className="ArchiveFile__bar">
        <span className="ArchiveFile__facts">
          <bdi>{formatSize(item.size)}</bdi>
        </span>
        <Button icon="download" onClick={() => download(source.fileUrl(item.path))}>
          {t('actions.download')}
        </Button>
      </div>
    </div>
  )
}

/** A picture, text or PDF; for other files an icon. */
function Content({ source, item, Text }: ArchiveFileProps) {
  const [isBroken, setBroken] = useState(false)
  const url = source.fileUrl(item.path, true)
  if (isBroken || !isShown(item)) return <FileIcon entry={item} />
  if (item.type === 'image') {
    return <img src={url} alt={item.name} onError={() => setBroken(true)} />
  }
  if (item.type === 'pdf') return <iframe title={shownName(item.name).text} src={url} />
  return (
    <Suspense fallback={<Loading />}>
      <Text source={source} name={item.name} path={item.path} />
    </Suspense>
  )
}
