/** Reads the duration of audio files from their headers: FLAC, WAV, MP3, and the video containers; and their tags. */
import type { AlbumFacts, MediaFacts } from '#wire/api/media.ts'
import { readSoundTags } from '#wire/formats/sound-tags.ts'
import { type FileByteReader, fourLetters } from './byte-reader.ts'
import { defined, plainText } from './exif.ts'
import { filmFacts, plausibleSeconds } from './film-facts.ts'

export async function soundFacts(reader: FileByteReader): Promise<AlbumFacts> {
  const start = await reader.from(0)
  if (!start || start.byteLength < 64) return {}
  if (fourLetters(start, 0) === 'fLaC') return durationFacts(flacSeconds(start))
  if (fourLetters(start, 0) === 'RIFF' && fourLetters(start, 8) === 'WAVE') {
    return durationFacts(waveSeconds(start, reader.sizeBytes))
  }
  const film = await filmFacts(reader)
  if (film.seconds !== undefined) return durationFacts(film.seconds)
  return durationFacts(await mp3Seconds(reader, start))
}

/** The tags at the start of the file, without the cover. Each is one line. */
export function tagsIn(start: Uint8Array): Pick<MediaFacts, 'title' | 'artist' | 'album'> {
  const { title, artist, album } = readSoundTags(new Uint8Array(start))
  const line = (text: string | undefined) => text && plainText(text)
  return defined({ title: line(title), artist: line(artist), album: line(album) })
}

function durationFacts(seconds: number | undefined): AlbumFacts {
  return defined({ seconds: plausibleSeconds(seconds ?? Number.NaN) })
}

/** The duration by the sample rate in 20 bits and the number of samples in 36 bits (RFC 9639, 8.2). */
function flacSeconds(start: DataView): number {
  const rate = start.getUint32(18) >>> 12
  const samples = (start.getUint8(21) & 0x0f) * 2 ** 32 + start.getUint32(22)
  return samples / rate
}

function waveSeconds(start: DataView, sizeBytes: number): number | undefined {
  let bytesPerSecond = 0
  for (let offset = 12; offset + 16 <= start.byteLength; ) {
    const length = start.getUint32(offset + 4, true)
    if (fourLetters(start, offset) === 'fmt ') bytesPerSecond = start.getUint32(offset + 16, true)
    if (fourLetters(start, offset) === 'data')
      return Math.min(length, sizeBytes - offset - 8) / bytesPerSecond
    offset += 8 + length + (length % 2)
  }
  return undefined
}

/** Kilobits per second of layer III in MPEG 1 and MPEG 2, by the number in the frame. */
const RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
/** Samples per second of MPEG 1 by the number in the frame; MPEG 2 has half of those. */
const SAMPLES = [44_100, 48_000, 32_000]

/** The duration by the frame count if the encoder wrote one, otherwise by the bit rate of the first frame. */
async function mp3Seconds(reader: FileByteReader, start: DataView): Promise<number | undefined> {
  const tag = tagBytes(start)
  const frame = tag === 0 ? start : await reader.from(tag)
  if (!frame || frame.byteLength < 64 || frame.getUint16(0) >>> 5 !== 0x7ff) return undefined
  const bits = frame.getUint32(0)
  const version = (bits >>> 19) & 3
  const isMpeg1 = version === 3
  const rate = (isMpeg1 ? RATES_1 : RATES_2)[(bits >>> 12) & 15]
  const samples = SAMPLES[(bits >>> 10) & 3]
  if (!rate || !samples || version === 1 || ((bits >>> 17) & 3) !== 1) return undefined
  const perSecond = samples / (isMpeg1 ? 1 : version === 2 ? 2 : 4)
  const isMono = ((bits >>> 6) & 3) === 3
  const info = isMpeg1 ? (isMono ? 21 : 36) : isMono ? 13 : 21
  const hasCount =
    ['Xing', 'Info'].includes(fourLetters(frame, info)) && frame.getUint32(info + 4) & 1
  if (hasCount) return (frame.getUint32(info + 8) * (isMpeg1 ? 1152 : 576)) / perSecond
  return ((reader.sizeBytes - tag) * 8) / (rate * 1000)
}

/** Size of an ID3 tag before the audio, in seven bits of each byte. */
function tagBytes(start: DataView): number {
  if (!fourLetters(start, 0).startsWith('ID3')) return 0
  const sizes = [6, 7, 8, 9].map((offset) => start.getUint8(offset) & 0x7f)
  return 10 + sizes.reduce((sum, part) => sum * 128 + part, 0)
}
