import { useState } from 'react'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { fitsQrCode, QrCode } from '#ui/components/pictures/QrCode.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import './QrCard.css'

interface QrCardProps {
  /** The URL of the download. */
  url: string
  /** The edge in CSS pixels (docs/specification.md 2: 200 for a file, 100 for a folder). */
  sizePx: 100 | 200
}

/**
 * A QR code with the download for another device. In narrow windows it is shown on demand. Nothing is shown for a URL
 * that is too long for a QR code, because its path has many or long names.
 */
export function QrCard({ url, sizePx }: QrCardProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (!fitsQrCode(url)) return null
  return (
    <>
      <span className="QrCard__toggle narrow-only">
        <IconButton
          icon="qr-code"
          label={t('share.qr')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </span>
      <div className="QrCard" data-size={sizePx} data-open={isOpen || undefined}>
        <QrCode text={url} sizePx={sizePx} label={t('share.qr')} />
        <p>
          <strong className="QrCard__title">{t('share.qrTitle')}</strong>
          {t('share.qrHint')}
        </p>
      </div>
    </>
  )
}
