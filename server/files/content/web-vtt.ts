/**
 * Converts SubRip and (Advanced) SubStation Alpha to WebVTT. The input is untrusted, so each part of it is scanned a
 * bounded number of times.
 */

/** Longer lines are not scanned for times. */
const TIMES_MAX = 256
const TIMES = /(?:^|\D)(\d{1,4}:\d\d:\d\d)[,.](\d{1,3})\s*-->\s*(\d{1,4}:\d\d:\d\d)[,.](\d{1,3})/
/** Fields of a `Format` line; the format itself has fewer than 30. */
const FIELDS_MAX = 64

interface Cue {
  start: string
  end: string
  text: string
  /** The settings of WebVTT for a position other than the lower edge. */
  settings: string
}

/** SubRip: blocks of a number, a line of times and the text. */
export function fromSubRip(source: string): string {
  const blocks = clean(source)
    .replace(/<br\s*\/?>/gi, '\n')
    .split(/\n{2,}/)
  return print(blocks.flatMap(subRipCue))
}

/**
 * SubStation Alpha: `Dialogue` lines below `[Events]`, with fields in the order of the `Format` line; the text is the
 * last field and may contain commas.
 */
export function fromSubStation(source: string): string {
  let fields: string[] = []
  const cues: Cue[] = []
  for (const line of clean(source).split('\n')) {
    const [kind, content] = splitOnce(line, ':')
    if (kind === 'Format')
      fields = content.split(',', FIELDS_MAX).map((field) => field.trim().toLowerCase())
    if (kind !== 'Dialogue') continue
    const values = splitAtMost(content, ',', fields.length)
    const value = (name: string) => values[fields.indexOf(name)]?.trim() ?? ''
    cues.push({
      start: subStationTime(value('start')),
      end: subStationTime(value('end')),
      ...withoutTags(value('text').replace(/\\N/gi, '\n').replace(/\\h/g, ' '), ANY_TAG),
    })
  }
  return print(cues)
}

/** The tags of SubStation: everything in braces. */
const ANY_TAG = /\{([^{}]*)\}/
/** The tags that players also read in SubRip. Other braces are text. */
const BACKSLASH_TAG = /\{(\\[^{}]*)\}/

/**
 * Removes tags such as `{\i1}`, and what is between `{\p1}` and `{\p0}`: a drawing. The number is its scale. A position
 * such as `{\an8}` becomes settings of the cue.
 */
function withoutTags(source: string, tag: RegExp): Pick<Cue, 'text' | 'settings'> {
  let isDrawing = false
  let text = ''
  let settings = ''
  for (const [index, part] of source.split(tag).entries()) {
    // Every second part is the inside of a tag.
    if (index % 2 === 0) {
      if (!isDrawing) text += part
      continue
    }
    const scale = /\\p(\d)/.exec(part)?.[1]
    if (scale !== undefined) isDrawing = scale !== '0'
    settings ||= settingsOf(Number(/\\an([1-9])/.exec(part)?.[1] ?? 0))
  }
  return { text, settings }
}

/** The position of a number key: 8 is the middle of the upper edge. The lower edge is the default. */
function settingsOf(key: number): string {
  if (key === 0) return ''
  const line = ['', ' line:50%', ' line:0'][Math.floor((key - 1) / 3)] ?? ''
  const side = [' position:5% align:start', '', ' position:95% align:end'][(key - 1) % 3] ?? ''
  return line + side
}

function clean(source: string): string {
  return source
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .trim()
}

function subRipCue(block: string): Cue[] {
  const lines = block.split('\n')
  const index = lines.findIndex((line) => line.length <= TIMES_MAX && line.includes('-->'))
  const match = index < 0 ? null : TIMES.exec(lines[index] ?? '')
  if (!match) return []
  const [, start = '', startMs = '', end = '', endMs = ''] = match
  const text = lines.slice(index + 1).join('\n')
  return [
    { start: time(start, startMs), end: time(end, endMs), ...withoutTags(text, BACKSLASH_TAG) },
  ]
}

/** `0:00:01.50`: hundredths of a second. */
function subStationTime(text: string): string {
  const [clock = '', fraction = '0'] = text.split('.')
  return time(clock, fraction)
}

/** A time of WebVTT: `00:00:01.500`. */
function time(clock: string, fraction: string): string {
  return `${clock.padStart(8, '0')}.${fraction.padEnd(3, '0').slice(0, 3)}`
}

/** Prints cues in order. An arrow in a text would start a new cue. */
function print(cues: Cue[]): string {
  const blocks = cues
    .filter(({ start, end, text }) => isTime(start) && isTime(end) && text.trim() !== '')
    .map(({ start, end, text, settings }) => {
      const lines = text
        .trim()
        .replace(/\n{2,}/g, '\n')
        .replaceAll('-->', '→')
      return `${start} --> ${end}${settings}\n${lines}`
    })
  return `${['WEBVTT', ...blocks].join('\n\n')}\n`
}

function isTime(text: string): boolean {
  return /^\d{2,}:\d\d:\d\d\.\d{3}$/.test(text)
}

function splitOnce(text: string, mark: string): [string, string] {
  const index = text.indexOf(mark)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + mark.length)]
}

/** Splits a text into at most `parts` parts; the last keeps the remaining separators. */
function splitAtMost(text: string, mark: string, partsMax: number): string[] {
  const all = text.split(mark)
  return partsMax < 1 ? [] : [...all.slice(0, partsMax - 1), all.slice(partsMax - 1).join(mark)]
}
