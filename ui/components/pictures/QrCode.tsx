import { Suspense } from 'react'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { lazyPart } from '../feedback/lazy-part.tsx'
import './QrCode.css'

const QrSvg = lazyPart(async () => (await import('qrcode.react')).QRCodeSVG)

interface QrCodeProps {
  /** A text for which `fitsQrCode` is true; otherwise rendering throws. */
  text: string
  /** The edge in CSS pixels, without the border. */
  sizePx: number
  /** The description for assistive technology. */
  label: string
}

/** Whether a text of ASCII characters, such as a URL, is short enough for a QR code. */
export function fitsQrCode(text: string): boolean {
  return text.length <= ON_DEMAND_LIMITS.qrTextMaxBytes
}

/** A QR code with error correction level M. The encoder is loaded with the first code. */
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
