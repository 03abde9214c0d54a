import type { Page } from 'playwright/test'

/** A film of some frames, which the browser itself records from a drawing. */
export async function filmFrom(page: Page): Promise<Uint8Array> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    const pen = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((done) => {
      recorder.onstop = done
    })
    recorder.start()
    for (let frame = 0; frame < 30; frame += 1) {
      pen?.fillRect(frame, frame, 9, 9)
      await new Promise(requestAnimationFrame)
    }
    recorder.stop()
    await stopped
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })
  return Uint8Array.from(bytes)
}
