import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'

/** A film of some frames, which the browser records from a canvas. */
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

/** The headers of an MP4 with this duration, without any frames. */
export function filmHeader(seconds: number): Buffer {
  const box = (type: string, ...parts: Buffer[]) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0))
    head.write(type, 4)
    return Buffer.concat([head, ...parts])
  }
  const head = Buffer.alloc(100)
  head.writeUInt32BE(1000, 12)
  head.writeUInt32BE(seconds * 1000, 16)
  return Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', box('mvhd', head))])
}

/** The start of an MP4 whose index, at the end, is missing: a recording or a download that was interrupted. */
export function filmWithoutIndex(): Buffer {
  const head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1')
  return Buffer.concat([head, Buffer.from('\0\x10\0\0mdat', 'latin1'), Buffer.alloc(4096, 7)])
}

/** Writes a film with subtitles inside: texts in the format SubRip by the tags of their languages. */
export function writeFilm(path: string, film: Uint8Array, texts: Record<string, string>): void {
  const folder = mkdtempSync(join(tmpdir(), 'film-'))
  const part = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(folder, name), content)
    return ['-i', join(folder, name)]
  }
  const languages = Object.keys(texts)
  const inputs = languages.flatMap((name) => part(`${name}.srt`, texts[name] ?? ''))
  const maps = ['film', ...languages].flatMap((_, index) => ['-map', String(index)])
  const tags = languages.flatMap((name, index) => [`-metadata:s:s:${index}`, `language=${name}`])
  const command = ['-loglevel', 'error', '-y', ...part('film', film), ...inputs, ...maps]
  const codecs = ['-c:v', 'copy', '-c:s', 'webvtt']
  execFileSync('ffmpeg', [...command, ...codecs, ...tags, path], { stdio: 'pipe' })
  rmSync(folder, { recursive: true })
}
