/** Turning from picture to picture by touch. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from '../../fixtures.ts'
import { Finger } from '../../pages/Finger.ts'

/** Those of the interface (`use-page-turn.ts`). */
const GAP_PX = 16
const RESISTANCE = 0.3

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('a picture follows the finger: it returns after a short movement, turns to its neighbour after a long one, and resists at the end', async ({
  files,
  page,
  server,
}) => {
  for (const [name, background] of [
    ['a.png', 'teal'],
    ['b.png', 'gold'],
    ['c.png', 'navy'],
  ] as const) {
    const create = { width: 600, height: 400, channels: 3, background } as const
    writeFileSync(join(server.root, name), await sharp({ create }).png().toBuffer())
  }
  await files.openRoot()
  await files.more('b.png').tap()
  await files.menuItem('Quick look').tap()
  const look = page.getByRole('dialog', { name: /^Quick look at / })
  const picture = (name: string) => look.getByRole('img', { name, exact: true })
  const next = look.locator('img[src*="/c.png"]')
  const left = async (name: string) => Math.round((await picture(name).boundingBox())?.x ?? NaN)
  await expect.poll(() => left('b.png')).toBe(0)

  const finger = new Finger(page)
  await finger.down(picture('b.png'))
  await finger.move(-20, 0)
  await finger.move(-10, 0)
  await expect.poll(() => left('b.png')).toBe(-30)
  // The next picture begins beside it, after a space.
  await expect.poll(async () => (await next.boundingBox())?.x).toBe(390 - 30 + GAP_PX)
  await finger.up()
  await expect.poll(() => left('b.png')).toBe(0)
  await expect(next).toHaveCount(0)

  await finger.down(picture('b.png'))
  for (let step = 0; step < 4; step += 1) await finger.move(-40, 0)
  await expect.poll(() => left('b.png')).toBe(-160)
  await finger.up()
  await expect.poll(() => left('c.png')).toBe(0)

  // There is no picture after the last one: it moves a little, and returns.
  await finger.down(picture('c.png'))
  for (let step = 0; step < 4; step += 1) await finger.move(-40, 0)
  await expect.poll(() => left('c.png')).toBe(-160 * RESISTANCE)
  await finger.up()
  await expect.poll(() => left('c.png')).toBe(0)

  await finger.down(picture('c.png'))
  for (let step = 0; step < 4; step += 1) await finger.move(40, 0)
  await finger.up()
  await expect.poll(() => left('b.png')).toBe(0)
})
