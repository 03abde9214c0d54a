import { type FormEvent, useState } from 'react'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { formatNumber, formatPercent } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import './PdfTools.css'

interface PdfToolsProps {
  page: number
  count: number
  scale: { value: number; isFitted: boolean }
  isFinding: boolean
  isPrinting: boolean
  onPage(page: number): void
  onZoom(direction: 1 | -1): void
  onFit(): void
  onToggleFind(): void
  onPrint(): void
}

/** The tools of a document: the page number, the zoom, the printer, and the search. */
export function PdfTools(props: PdfToolsProps) {
  const { page, count, scale, isFinding, isPrinting, onPage, onZoom, onFit } = props
  const { t } = useTranslation()
  return (
    <div className="PdfTools" role="toolbar" aria-label={t('kinds.document')}>
      <PageField page={page} count={count} onPage={onPage} />
      <span className="PdfTools__zoom">
        <IconButton icon="minus" size="s" label={t('viewer.zoomOut')} onClick={() => onZoom(-1)} />
        <span className="PdfTools__scale numeric">{formatPercent(scale.value)}</span>
        <IconButton icon="plus" size="s" label={t('viewer.zoomIn')} onClick={() => onZoom(1)} />
        <IconButton
          icon="maximize"
          size="s"
          label={t('documents.fitWidth')}
          pressed={scale.isFitted}
          onClick={onFit}
        />
      </span>
      <span className="PdfTools__end">
        <IconButton
          icon="printer"
          size="s"
          label={t('documents.print')}
          aria-busy={isPrinting}
          onClick={props.onPrint}
        />
        <IconButton
          icon="search"
          size="s"
          label={t('editor.find')}
          pressed={isFinding}
          onClick={props.onToggleFind}
        />
      </span>
    </div>
  )
}

interface PageFieldProps {
  page: number
  count: number
  onPage(page: number): void
}

/** The number of the visible page; another number goes to that page. */
function PageField({ page, count, onPage }: PageFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string>()

  function submit(event?: FormEvent): void {
    event?.preventDefault()
    const typedPage = Number(typed)
    if (typed !== undefined && Number.isInteger(typedPage) && typedPage > 0) onPage(typedPage)
    setTyped(undefined)
  }

  return (
    <form className="PdfTools__page" onSubmit={submit}>
      <Input
        aria-label={t('documents.pageNumber')}
        inputMode="numeric"
        autoComplete="off"
        size={Math.max(3, String(count).length + 1)}
        value={typed ?? String(page)}
        onChange={({ target }) => setTyped(target.value.replace(/\D/g, ''))}
        onFocus={({ target }) => target.select()}
        onBlur={() => submit()}
      />
      <span className="numeric">/ {formatNumber(count)}</span>
    </form>
  )
}
