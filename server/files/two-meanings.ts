/**
 * Extensions with several meanings, such as `.ts`: the first bytes of a file tell which. A listing does not use them: it
 * shows the meaning that is most common for the name, because opening each file of a large folder would be too slow.
 */
import type { EntryType } from '#wire/api/entry.ts'
import { extensionOf } from '#wire/paths.ts'
import { looksLikeText } from './file-types.ts'

interface Meanings {
  /** The first that matches. */
  others: readonly [type: EntryType, matches: (start: Uint8Array) => boolean][]
  otherwise: EntryType
}

const MEANINGS: ReadonlyMap<string, Meanings> = new Map<string, Meanings>([
  // TypeScript, and MPEG transport streams of broadcasts and cameras.
  ['ts', { others: [['video', isTransportStream]], otherwise: 'text' }],
  ['mts', { others: [['text', looksLikeText]], otherwise: 'video' }],
  // Songs of trackers, and the films of some cameras.
  [
    'mod',
    {
      others: [
        ['text', looksLikeText],
        ['video', isProgramStream],
      ],
      otherwise: 'audio',
    },
  ],
  // Subtitles: lines with times, and pictures (VobSub).
  ['sub', { others: [['blob', isProgramStream]], otherwise: 'text' }],
  // Translations, and presentations of PowerPoint.
  ['pot', { others: [['blob', startsWith(0xd0, 0xcf, 0x11, 0xe0)]], otherwise: 'text' }],
  // Property lists, as XML and in a binary form.
  ['plist', { others: [['blob', startsWith(...Buffer.from('bplist'))]], otherwise: 'text' }],
  // Animations, and scripts of AviSynth.
  ['avs', { others: [['text', looksLikeText]], otherwise: 'video' }],
  // Songs (Lossless Audio), and libraries of libtool.
  ['la', { others: [['text', looksLikeText]], otherwise: 'audio' }],
  // Plug-ins of RealPlayer, and packages of Linux.
  ['rpm', { others: [['blob', startsWith(0xed, 0xab, 0xee, 0xdb)]], otherwise: 'audio' }],
])

/** Whether the extension of a file has several meanings. */
export function hasSeveralMeanings(path: string): boolean {
  return MEANINGS.has(endingOf(path))
}

/**
 * @param start the first bytes of a file, at least `HEAD_BYTES` if it has so many
 * @returns undefined if the extension has one meaning
 */
export function typeByStart(path: string, start: Uint8Array): EntryType | undefined {
  const meanings = MEANINGS.get(endingOf(path))
  const other = meanings?.others.find(([, matches]) => matches(start))
  return other?.[0] ?? meanings?.otherwise
}

function endingOf(path: string): string {
  return extensionOf(path).slice(1).toLowerCase()
}

/** Lengths of the packets of a transport stream: plain, of cameras and players, and with checksums. */
const PACKET_BYTES = [188, 192, 204]
const SYNC_BYTE = 0x47

/** Whether packets begin in regular distances (ISO 13818-1), from any byte on: a recording may begin inside one. */
function isTransportStream(start: Uint8Array): boolean {
  if (looksLikeText(start)) return false
  return PACKET_BYTES.some((length) => {
    for (let first = 0; first < length && first + length < start.length; first += 1) {
      let at = first
      while (at < start.length && start[at] === SYNC_BYTE) at += length
      if (at >= start.length) return true
    }
    return false
  })
}

/** A pack header of ISO 13818-1. */
function isProgramStream(start: Uint8Array): boolean {
  return startsWith(0, 0, 1, 0xba)(start)
}

function startsWith(...bytes: number[]): (start: Uint8Array) => boolean {
  return (start) => bytes.every((byte, index) => start[index] === byte)
}
