/** Renders the logo as the icons of the installed app, for its manifest and for iOS. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { REPO_ROOT } from './repo-root.ts'

const LOGO = join(REPO_ROOT, 'ui/public/static/img/logo.svg')
const OUTPUT_FOLDER = join(REPO_ROOT, 'ui/dist/static/img')

/** `isSquare`: the operating system rounds the corners itself, so the background fills the whole square. */
const ICONS = [
  { name: 'icon-192.png', px: 192, isSquare: false },
  { name: 'icon-512.png', px: 512, isSquare: false },
  { name: 'icon-maskable-512.png', px: 512, isSquare: true },
  { name: 'apple-touch-icon.png', px: 180, isSquare: true },
]

const ROUND_CORNERS = ' rx="6"'

/** Writes the icons into the built interface. @throws Error if the logo has no background with ROUND_CORNERS */
export async function writeIcons(): Promise<void> {
  const logo = await Bun.file(LOGO).text()
  if (!logo.includes(ROUND_CORNERS))
    throw new Error(`${LOGO}: the background has no${ROUND_CORNERS}.`)
  await mkdir(OUTPUT_FOLDER, { recursive: true })
  for (const { name, px, isSquare } of ICONS) {
    const drawing = Buffer.from(isSquare ? logo.replace(ROUND_CORNERS, '') : logo)
    const { width = px } = await sharp(drawing).metadata()
    // An SVG has 72 dots per inch; with this density it is rendered in the size of the icon.
    await sharp(drawing, { density: (72 * px) / width })
      .resize(px, px)
      .png({ compressionLevel: 9, palette: true })
      .toFile(join(OUTPUT_FOLDER, name))
  }
}
