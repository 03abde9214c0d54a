/** The QR code of a download. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openReactPage, type ReactPage } from '../uploads/react-page.ts'

let page: ReactPage
beforeAll(async () => {
  page = await openReactPage()
})
afterAll(() => page.close())

test.each([
  ['the longest URL of a QR code is shown', 2331, 1],
  ['a URL that is too long for a QR code is left out', 2332, 0],
])('%s', async (_, length, codes) => {
  const { QrCard } = await import('#ui/features/share/QrCard.tsx')
  const url = 'https://files.example.org/'.padEnd(length, '%E4')
  const unmount = await page.mount(<QrCard url={url} sizePx={200} />)
  try {
    // The encoder is loaded with the first code.
    await page.act(async () => {
      await import('qrcode.react')
    })
    expect(document.querySelectorAll('svg.QrCode')).toHaveLength(codes)
    expect(document.querySelectorAll('.QrCard')).toHaveLength(codes)
  } finally {
    await page.act(unmount)
  }
})
