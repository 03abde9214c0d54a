import { useTranslation } from '#ui/i18n/i18n.ts'
import { rawUrl } from '#ui/lib/content-urls.ts'
import type { FileEntry } from '#wire/entry.ts'
import { parsePath } from '#wire/paths.ts'
import { FallbackCard } from './FallbackCard.tsx'
import { Preview } from './Preview.tsx'
import './PdfFrame.css'

/** A PDF in the browser's own viewer, if the browser has one. */
export function PdfFrame({ file }: { file: FileEntry }) {
  const { t } = useTranslation()
  if (!navigator.pdfViewerEnabled) return <FallbackCard file={file} hint={t('viewer.noPdf')} />
  return (
    <Preview hidesControls={false}>
      <iframe className="PdfFrame" title={file.name} src={rawUrl(parsePath(file.path), true)} />
    </Preview>
  )
}
