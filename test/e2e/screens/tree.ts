/** A realistic served folder: pictures, documents, long names, names in other scripts. */
import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { bookOf } from '../../support/files/books.ts'
import { exifBlock, withExif } from '../../support/files/exif.ts'
import { waveOf } from '../../support/files/recordings.ts'

/** The time that every screen shows. It is in the past, so that no session expires. */
export const NOW = new Date('2025-11-18T15:04:00Z')

export const PROJECT = '/Projects/Documentary/Lofoten 2025'
export const EMPTY = '/Projects/Documentary/Lofoten 2025/04 Music'
/** The folder for uploads; each screen has its own folder in it. */
export const INBOX = '/Inbox'

const KIB = 1024
const MIB = 1024 * KIB

/** Names of folders, each with how many hours ago it changed. */
const FOLDERS = {
  '01 Rushes': 0.5,
  '02 Interviews': 4,
  '03 Stills – selects': 21,
  '04 Music': 52,
  'صور الرحلة': 214,
  'Архив 2014': 390,
} as const

/** Names of files, each with its bytes and how many hours ago it changed. */
const FILES: Record<string, readonly [bytes: number, hours: number]> = {
  'budget-2025-final-approved.xlsx': [184 * KIB, 29],
  'drone-rushes-day-04-4k-prores-422hq.mov': [1.4 * 1024 * MIB, 115],
  'field-notes.md': [12_698, 0.5],
  'harbour-ambience-96k.wav': [412 * MIB, 128],
  'Interview transcript – Ingrid Solberg, harbour master, recorded on board MS Nordlys (final, reviewed, v3).docx':
    [98_406, 140],
  'lofoten-map-1-50000.pdf': [63.9 * MIB, 500],
  'master-archive-2014–2025.tar.zst': [842 * MIB, 420],
  'sync-rushes.py': [4_198, 5.7],
  'teaser-cut-v12.mp4': [96 * MIB, 15.5],
  'ملاحظات التصوير.txt': [2_311, 190],
}

const NOTES = `# Field notes

Two days on board **MS Nordlys**, from Svolvær to Stamsund. See [the script](sync-rushes.py).

![Dusk](fjord-dusk.jpg)

## Still to do

- [x] Ask the harbour master about the log books
- [ ] Record the ambience again, without the generator

| Place    | Light       |
| -------- | ----------- |
| Reine    | from 04:10  |
| Svolvær  | until 23:40 |

> The sea is never the same colour twice.
`

const SCRIPT = `#!/usr/bin/env python3
"""Pair camera rushes with field recordings by timecode."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path("Lofoten 2025")
DRIFT = 0.040  # seconds a recorder may wander in an hour


@dataclass(frozen=True)
class Clip:
    path: Path
    start: float
    length: float

    @property
    def end(self) -> float:
        return self.start + self.length


def pairs(rushes: list[Clip], sound: list[Clip]):
    for clip in sorted(rushes, key=lambda c: c.start):
        best = min(sound, key=lambda s: abs(s.start - clip.start))
        if abs(best.start - clip.start) <= DRIFT * clip.length / 3600:
            yield clip, best
`

const SHOTS = Array.from(
  { length: 120 },
  (_, at) => `Harbour ${at + 1};${(at % 4) + 1};${12 + at}`,
).join('\n')

const PARAGRAPH =
  '<p>The boats came in before the weather did, one after the other, and nobody on the quay said what everybody thought.</p>'

/** Files with content that viewers show, by their path in the project. */
const CONTENTS: Record<string, string | Uint8Array> = {
  'field-notes.md': NOTES,
  'sync-rushes.py': SCRIPT,
  '02 Interviews/shots.csv': `scene;take;seconds\n${SHOTS}`,
  '02 Interviews/harbour.epub': bookOf({
    first: `<h1>The harbour</h1>${PARAGRAPH.repeat(9)}<p>Then it rained.</p>`,
  }),
  '02 Interviews/harbour-wind.wav': waveOf(75),
}

/** Pictures by name: the colours of sky, sun and sea. */
export const PICTURES = {
  'alpenglow.jpg': ['#6b5b8a', '#f3b5a0', '#3d3a55'],
  'aurora-over-uttakleiv.jpg': ['#0b2a33', '#35d08d', '#0d1b25'],
  'fjord-dusk.jpg': ['#5d7291', '#f0c9a8', '#33485f'],
  'midnight-sun.jpg': ['#d98a4f', '#ffe3a1', '#6a3f35'],
  'reine-from-the-pass.jpg': ['#8fb6d4', '#eef6fb', '#3f6a86'],
} as const

/** The folder of `STILLS`. */
export const GALLERY = `${PROJECT}/03 Stills – selects`

/** Pictures of different shapes by name: the colours of sky, sun and sea, the width and the height. */
export const STILLS = {
  'aurora.jpg': ['#0b2a33', '#35d08d', '#0d1b25', 1500, 900],
  'blue-hour.jpg': ['#1f2f57', '#8fa6d8', '#141c36', 1200, 800],
  'first-snow.jpg': ['#7486b8', '#f1c7cf', '#33405f', 750, 1000],
  'fog-bank.jpg': ['#c9d2d6', '#e9eef0', '#5f7078', 1200, 800],
  'harbour-morning.jpg': ['#7fb2d9', '#f6efdc', '#2f5673', 1600, 900],
  'late-september.jpg': ['#b56a3f', '#ffd58a', '#4a2f2b', 1200, 900],
  'midnight-sun.jpg': ['#d98a4f', '#ffe3a1', '#6a3f35', 1200, 800],
  'moonrise.jpg': ['#1b2340', '#e7dfb8', '#0f1428', 1000, 1000],
  'panorama.jpg': ['#88a9c4', '#f7d9b0', '#40617a', 2400, 800],
  'ridge-walk.jpg': ['#6f9fd0', '#e8f1e4', '#3f6140', 1600, 900],
  'spruce.jpg': ['#b7c4c1', '#e2e9e4', '#21362f', 1350, 900],
  'tideline.jpg': ['#1d8aa0', '#9fe0d8', '#c9b58a', 1200, 800],
  'tower.jpg': ['#c07a86', '#ffdcc2', '#4d3550', 700, 1050],
  'winter-light.jpg': ['#aebfd0', '#f3f0ea', '#6c8299', 1200, 800],
} as const

/** Files to upload by name, with their bytes. */
export const UPLOADS: Record<string, number> = {
  'svolvaer-by-night.jpg': 16 * MIB,
  'interview-ingrid-take-2.wav': 31 * MIB,
  'Release forms, signed by everyone on board MS Nordlys.pdf': 8 * MIB,
  'shot-list.md': 14 * KIB,
}

/** Fills an empty folder with the files to upload. Only the picture has content. */
export async function writeUploads(folder: string): Promise<void> {
  const night = await landscape(['#101c3a', '#e8c27a', '#0a1226'])
  for (const [name, bytes] of Object.entries(UPLOADS)) {
    writeFileAged(join(folder, name), bytes, 2, name.endsWith('.jpg') ? night : '')
  }
}

/** Fills an empty folder with the tree. */
export async function writeTree(root: string): Promise<void> {
  const project = join(root, PROJECT)
  mkdirSync(join(root, INBOX), { recursive: true })
  mkdirSync(join(root, 'Photos'))
  for (const [name, bytes] of Object.entries({ 'Read me first.txt': 812, 'taxes-2024.pdf': MIB })) {
    writeFileAged(join(root, name), bytes, 300)
  }
  for (const [name, [bytes, hours]] of Object.entries(FILES)) {
    writeFileAged(join(project, name), bytes, hours)
  }
  for (const [name, content] of Object.entries(CONTENTS)) {
    const path = join(project, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    age(path, FILES[name]?.[1] ?? 30)
  }
  let hours = 40
  for (const [name, colours] of Object.entries(PICTURES)) {
    const path = join(project, name)
    writeFileSync(path, await landscape(colours))
    age(path, hours)
    hours += 31
  }
  mkdirSync(join(root, GALLERY, 'Outtakes'), { recursive: true })
  writeFileAged(join(root, GALLERY, 'captions.md'), 2_048, 30)
  for (const [at, [name, [sky, sun, sea, width, height]]] of Object.entries(STILLS).entries()) {
    const picture = await landscape([sky, sun, sea], width, height)
    writeFileSync(join(root, GALLERY, name), withExif(picture, cameraOf(at)))
    age(join(root, GALLERY, name), hours)
  }
  for (const [name, changed] of Object.entries(FOLDERS)) {
    mkdirSync(join(project, name), { recursive: true })
    age(join(project, name), changed)
  }
  for (const [at, name] of [INBOX, 'Photos', 'Projects'].entries())
    age(join(root, name), 3 + 60 * at)
}

/** Writes a sparse file of this size that begins with `first`, last modified so many hours before `NOW`. */
function writeFileAged(
  path: string,
  bytes: number,
  hours: number,
  first: string | Uint8Array = '',
): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, first)
  truncateSync(path, Math.round(bytes))
  age(path, hours)
}

/** Sets the modification time to so many hours before `NOW`. */
export function age(path: string, hours: number): void {
  const when = new Date(NOW.getTime() - hours * 3_600_000)
  utimesSync(path, when, when)
}

/** The Exif block of the photo `at`; five photos are taken each day. */
function cameraOf(at: number): Uint8Array {
  const day = String(9 + Math.floor(at / 5)).padStart(2, '0')
  return exifBlock({
    main: { 271: 'FUJIFILM', 272: 'X-T5' },
    own: {
      36867: `2025:10:${day} ${10 + (at % 5)}:20:00`,
      33434: [[1, 250]],
      33437: [[80, 10]],
      34855: 160,
      37386: [[23, 1]],
      42036: 'XF23mmF1.4 R LM WR',
    },
    gps: { 1: 'N', 2: [[6793, 100]], 3: 'E', 4: [[1309, 100]] },
  })
}

function landscape(
  [sky, sun, sea]: readonly [string, string, string],
  width = 960,
  height = 640,
): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
    viewBox="0 0 960 640" preserveAspectRatio="xMidYMid slice">
    <defs><linearGradient id="sky" x2="0" y2="1">
      <stop stop-color="${sky}"/><stop offset="1" stop-color="${sun}"/>
    </linearGradient></defs>
    <rect width="960" height="420" fill="url(#sky)"/>
    <circle cx="640" cy="360" r="70" fill="${sun}"/>
    <path d="M0 420 180 210 330 420 470 270 610 420 Z" fill="${sea}" opacity="0.75"/>
    <rect y="420" width="960" height="220" fill="${sea}"/>
  </svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer()
}
