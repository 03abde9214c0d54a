/** Photos of 12 megapixels for benchmarks of thumbnails. */
import sharp from 'sharp'

/** Writes a JPEG of 4000 × 3000 pixels with noise. Each call creates another picture. */
export async function createPhoto(path: string): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const small = sharp({
    create: { width: 500, height: 375, channels: 3, background: 'grey', noise },
  })
  await sharp(await small.png().toBuffer())
    .resize(4000, 3000)
    .jpeg({ quality: 85 })
    .toFile(path)
}
