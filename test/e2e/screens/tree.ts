/** A served folder as people have them: pictures, documents, long names, names in other scripts. */
import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

/** The clock of every picture. In the past, so that no session ends by it. */
export const NOW = new Date('2025-11-18T15:04:00Z')

export const PROJECT = '/Projects/Documentary/Lofoten 2025'
export const EMPTY = '/Projects/Documentary/Lofoten 2025/04 Music'
/** Where uploads go, each screen's into a folder of its own. */
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

/** Pictures: sky, sun and sea of each. */
export const PICTURES = {
  'alpenglow.jpg': ['#6b5b8a', '#f3b5a0', '#3d3a55'],
  'aurora-over-uttakleiv.jpg': ['#0b2a33', '#35d08d', '#0d1b25'],
  'fjord-dusk.jpg': ['#5d7291', '#f0c9a8', '#33485f'],
  'midnight-sun.jpg': ['#d98a4f', '#ffe3a1', '#6a3f35'],
  'reine-from-the-pass.jpg': ['#8fb6d4', '#eef6fb', '#3f6a86'],
} as const

/** What waits to be uploaded, with its bytes. */
export const UPLOADS: Record<string, number> = {
  'svolvaer-by-night.jpg': 16 * MIB,
  'interview-ingrid-take-2.wav': 31 * MIB,
  'Release forms, signed by everyone on board MS Nordlys.pdf': 8 * MIB,
  'shot-list.md': 14 * KIB,
}

/** Fills an empty folder with what waits to be uploaded. */
export function plantUploads(folder: string): void {
  for (const [name, bytes] of Object.entries(UPLOADS)) plant(join(folder, name), bytes, 2)
}

/** Fills an empty folder with the tree. */
export async function plantTree(root: string): Promise<void> {
  const project = join(root, PROJECT)
  mkdirSync(join(root, INBOX), { recursive: true })
  mkdirSync(join(root, 'Photos'))
  for (const [name, bytes] of Object.entries({ 'Read me first.txt': 812, 'taxes-2024.pdf': MIB })) {
    plant(join(root, name), bytes, 300)
  }
  for (const [name, [bytes, hours]] of Object.entries(FILES)) {
    plant(join(project, name), bytes, hours)
  }
  let hours = 40
  for (const [name, colours] of Object.entries(PICTURES)) {
    const path = join(project, name)
    writeFileSync(path, await landscape(colours))
    age(path, hours)
    hours += 31
  }
  for (const [name, changed] of Object.entries(FOLDERS)) {
    mkdirSync(join(project, name))
    age(join(project, name), changed)
  }
  for (const [at, name] of [INBOX, 'Photos', 'Projects'].entries())
    age(join(root, name), 3 + 60 * at)
}

/** Makes a file of this size that takes no room on the disk. */
function plant(path: string, bytes: number, hours: number): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  truncateSync(path, Math.round(bytes))
  age(path, hours)
}

/** Says that something changed so many hours before `NOW`. */
export function age(path: string, hours: number): void {
  const when = new Date(NOW.getTime() - hours * 3_600_000)
  utimesSync(path, when, when)
}

function landscape([sky, sun, sea]: readonly [string, string, string]): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640">
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
