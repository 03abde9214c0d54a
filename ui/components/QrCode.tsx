import { lazy, Suspense } from 'react'
import './QrCode.css'

const QrSvg = lazy(async () => ({ default: (await import('qrcode.react')).QRCodeSVG }))

interface QrCodeProps {
  text: string
  /** Edge in CSS pixels, without the border. */
  sizePx: number
  /** What it leads to, for assistive technology. */
  label: string
}

/** A QR code of error-correction level M. The drawing code comes when one is shown. */
export function QrCode({ text, sizePx, label }: QrCodeProps) {
  const edge = { inlineSize: sizePx, blockSize: sizePx }
  return (
    <Suspense fallback={<span className="QrCode" style={edge} />}>
      <QrSvg
        className="QrCode"
        value={text}
        size={sizePx}
        level="M"
        bgColor="transparent"
        fgColor="currentColor"
        role="img"
        aria-label={label}
      />
    </Suspense>
  )
}
