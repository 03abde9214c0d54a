/** The product's logo as the pictures that systems want for an installed app. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { REPO_ROOT } from './repo-root.ts'

const LOGO = join(REPO_ROOT, 'ui/public/static/img/logo.svg')
const FOLDER = join(REPO_ROOT, 'ui/dist/static/img')

/** `bleeds`: the system cuts the shape itself, so the tile reaches every edge. */
const ICONS = [
  { name: 'icon-192.png', px: 192, bleeds: false },
  { name: 'icon-512.png', px: 512, bleeds: false },
  { name: 'icon-maskable-512.png', px: 512, bleeds: true },
  { name: 'apple-touch-icon.png', px: 180, bleeds: true },
]

const ROUND_CORNERS = ' rx="6"'

/** Draws them into the built interface. @throws Error when the logo's tile has other corners */
export async function writeIcons(): Promise<void> {
  const logo = await Bun.file(LOGO).text()
  if (!logo.includes(ROUND_CORNERS)) throw new Error(`${LOGO} has no${ROUND_CORNERS} to fill.`)
  await mkdir(FOLDER, { recursive: true })
  for (const { name, px, bleeds } of ICONS) {
    const drawing = Buffer.from(bleeds ? logo.replace(ROUND_CORNERS, '') : logo)
    const { width = px } = await sharp(drawing).metadata()
    await sharp(drawing, { density: (72 * px) / width })
      .resize(px, px)
      .png({ compressionLevel: 9, palette: true })
      .toFile(join(FOLDER, name))
  }
}
