/** Viewers: controls of films and pictures, deletion, and the return to the folder. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { filmFrom, writeFilm } from '../../../support/files/films.ts'
import { expect, test } from '../../fixtures.ts'
import { Finger } from '../../pages/Finger.ts'
import { pathOf, requestsAfterReload } from '../../requests.ts'

test.describe('a film', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('a paused film keeps its controls visible, and a playing one its name and close button', async ({
    opened,
    page,
    server,
  }) => {
    writeFileSync(join(server.root, 'film.webm'), await filmFrom(page))
    writeFileSync(join(server.root, 'next.bin'), Uint8Array.of(0, 1, 2))
    await page.clock.install()
    await opened.open('/film.webm')
    const film = opened.player('film.webm')
    await expect(opened.playerFrame('film.webm')).toBeFocused()
    await page.clock.runFor(2 * ON_DEMAND_LIMITS.viewerIdleMs)
    await expect(opened.pathBar).toHaveCSS('opacity', '1')
    await film.evaluate((player: HTMLVideoElement) => {
      player.loop = true
      return player.play()
    })
    await page.clock.runFor(2 * ON_DEMAND_LIMITS.viewerIdleMs)
    await expect(opened.turn('Next')).toHaveCSS('opacity', '0')
    // In a window, path, name and close button stay.
    await expect(opened.pathBar).toHaveCSS('opacity', '1')
    await film.evaluate((player: HTMLVideoElement) => player.pause())
    await expect(opened.turn('Next')).toHaveCSS('opacity', '1')
  })

  test('the chosen language of subtitles stays for the next film', async ({
    opened,
    page,
    server,
  }) => {
    const film = await filmFrom(page)
    const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nGood morning\n'
    for (const name of ['a', 'b']) {
      writeFileSync(join(server.root, `${name}.webm`), film)
      for (const ending of ['de.srt', 'en.srt', 'srt']) {
        writeFileSync(join(server.root, `${name}.${ending}`), subtitles)
      }
    }
    const shown = (name: string) =>
      opened
        .player(name)
        .evaluate((player: HTMLVideoElement) =>
          [...player.textTracks]
            .filter(({ mode }) => mode === 'showing')
            .map((one) => one.language),
        )
    const choose = async (name: string, language: string) => {
      await opened.playerFrame(name).getByRole('button', { name: 'Subtitles' }).click()
      await page.getByRole('menuitemcheckbox', { name: language }).click()
    }
    await opened.open('/a.webm')
    await choose('a.webm', 'English')
    await opened.open('/b.webm')
    await expect.poll(() => shown('b.webm')).toEqual(['en'])
    // Subtitles whose name tells no language are remembered too.
    await choose('b.webm', 'b.srt')
    await opened.open('/a.webm')
    await expect.poll(() => shown('a.webm')).toEqual(['und'])
    await choose('a.webm', 'Off')
    await opened.open('/b.webm')
    await expect(
      opened.playerFrame('b.webm').getByRole('button', { name: 'Subtitles' }),
    ).toBeVisible()
    expect(await shown('b.webm')).toEqual([])
  })

  test('subtitles inside of a film can be chosen, and their language stays for the next film', async ({
    opened,
    page,
    server,
  }) => {
    const cue = (words: string) => `1\n00:00:00,000 --> 00:00:02,000\n${words}\n`
    writeFileSync(join(server.root, 'b.de.srt'), cue('Aus der Datei'))
    const film = await filmFrom(page)
    const texts = { en: cue('Good morning'), de: cue('Guten Morgen') }
    for (const name of ['a', 'b', 'c']) writeFilm(join(server.root, `${name}.webm`), film, texts)
    const shown = (name: string) =>
      opened
        .player(name)
        .evaluate((player: HTMLVideoElement) =>
          [...player.textTracks]
            .filter(({ mode }) => mode === 'showing')
            .map(({ cues }) => (cues?.[0] as VTTCue | undefined)?.text),
        )
    const frame = opened.playerFrame('a.webm')
    await opened.open('/a.webm')
    await frame.getByRole('button', { name: 'Subtitles' }).click()
    await expect(page.getByRole('menuitem', { name: 'Encoding' })).toBeHidden()
    await page.getByRole('menuitemcheckbox', { name: 'German' }).click()
    await expect.poll(() => shown('a.webm')).toEqual(['Guten Morgen'])
    // The file beside the film comes first.
    await opened.open('/b.webm')
    await expect.poll(() => shown('b.webm')).toEqual(['Aus der Datei'])
    await opened.open('/c.webm')
    await expect.poll(() => shown('c.webm')).toEqual(['Guten Morgen'])
  })

  test('the encoding of subtitles can be chosen, and stays for the film', async ({
    opened,
    page,
    server,
  }) => {
    writeFileSync(join(server.root, 'film.webm'), await filmFrom(page))
    const cue = Buffer.from('1\n00:00:00,000 --> 00:00:02,000\n')
    // A Polish name in ISO 8859-2, which is also text in Western encodings.
    const polish = Buffer.from([0xa3, 0xf3, 0x64, 0xbc, 0x0a])
    writeFileSync(join(server.root, 'film.srt'), Buffer.concat([cue, polish]))
    const frame = opened.playerFrame('film.webm')
    const text = () =>
      opened
        .player('film.webm')
        .evaluate((player: HTMLVideoElement) =>
          [...player.textTracks].map(({ cues }) => (cues?.[0] as VTTCue | undefined)?.text),
        )
    const choose = async (name: string) => {
      await frame.getByRole('button', { name: 'Subtitles' }).click()
      await page.getByRole('menuitemcheckbox', { name }).click()
    }
    await opened.open('/film.webm')
    await choose('film')
    await expect.poll(text).not.toEqual([undefined])
    expect(await text()).not.toEqual(['Łódź'])
    await frame.getByRole('button', { name: 'Subtitles' }).click()
    await page.getByRole('menuitem', { name: 'Encoding' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'ISO-8859-2' }).click()
    await expect.poll(text).toEqual(['Łódź'])
    await page.reload()
    await choose('film')
    await expect.poll(text).toEqual(['Łódź'])
  })

  test('a film opened by mouse shows no focus ring until a key is pressed', async ({
    files,
    opened,
    page,
    server,
  }) => {
    writeFileSync(join(server.root, 'film.webm'), await filmFrom(page))
    await files.openRoot()
    await files.row('film.webm').dblclick()
    const film = opened.playerFrame('film.webm')
    await expect(film).toBeFocused()
    await expect(film).toHaveCSS('outline-style', 'none')
    await page.keyboard.press('m')
    await expect(film).toHaveCSS('outline-style', 'solid')
  })

  test('a film has its own controls, which are hidden while it plays @spec-2.32', async ({
    opened,
    page,
    server,
  }) => {
    writeFileSync(join(server.root, 'film.webm'), await filmFrom(page))
    const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nGood morning\n'
    writeFileSync(join(server.root, 'film.en.srt'), subtitles)
    writeFileSync(join(server.root, 'film.de.srt'), subtitles)
    await page.clock.install()
    await opened.open('/film.webm')
    const film = opened.player('film.webm')
    const frame = opened.playerFrame('film.webm')
    const button = (name: string) => frame.getByRole('button', { name, exact: true })
    await expect(film).not.toHaveAttribute('controls')
    await film.evaluate((player: HTMLVideoElement) => {
      player.loop = true
    })
    await button('Play').click()
    await expect(film).toHaveJSProperty('paused', false)
    await film.hover()
    await page.clock.runFor(2 * ON_DEMAND_LIMITS.viewerIdleMs)
    const controls = frame.getByRole('toolbar', { name: 'Player' }).locator('..')
    await expect(controls).toHaveCSS('opacity', '0')
    await film.hover({ position: { x: 30, y: 30 } })
    await expect(controls).toHaveCSS('opacity', '1')
    // A click on the picture pauses.
    await film.click({ position: { x: 40, y: 40 } })
    await expect(film).toHaveJSProperty('paused', true)

    await button('Mute').click()
    await expect(film).toHaveJSProperty('muted', true)
    await frame.getByRole('slider', { name: 'Volume' }).fill('0.5')
    await expect(film).toHaveJSProperty('volume', 0.5)
    await expect(film).toHaveJSProperty('muted', false)
    await frame.getByRole('combobox', { name: 'Speed' }).selectOption('2×')
    await expect(film).toHaveJSProperty('playbackRate', 2)

    const modes = () =>
      film.evaluate((player: HTMLVideoElement) => [...player.textTracks].map(({ mode }) => mode))
    await button('Subtitles').click()
    await expect(page.getByRole('menuitemcheckbox')).toHaveText(['Off', 'German', 'English'])
    await page.getByRole('menuitemcheckbox', { name: 'English' }).click()
    expect(await modes()).toEqual(['disabled', 'showing'])
    await button('Subtitles').click()
    await page.getByRole('menuitemcheckbox', { name: 'Off' }).click()
    expect(await modes()).toEqual(['disabled', 'disabled'])

    await button('Full screen').click()
    await expect(button('Full screen')).toHaveAttribute('aria-pressed', 'true')
    const full = await frame.evaluate((element) => document.fullscreenElement === element)
    expect(full).toBe(true)
    const filled = () =>
      film.evaluate((player) => {
        const { width, height } = player.getBoundingClientRect()
        return [width - innerWidth, height - innerHeight]
      })
    await expect.poll(filled).toEqual([0, 0])
    await expect(button('Play')).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('f')
    await expect(button('Full screen')).toHaveAttribute('aria-pressed', 'false')
  })

  test('a film has the size of its picture', async ({ opened, page, server }) => {
    writeFileSync(join(server.root, 'film.webm'), await filmFrom(page))
    await opened.open('/film.webm')
    const film = opened.player('film.webm')
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      const gap = () =>
        film.evaluate((player: HTMLVideoElement) => {
          const { width, height } = player.getBoundingClientRect()
          return Math.abs(width / height - player.videoWidth / player.videoHeight)
        })
      await expect.poll(gap).toBeLessThan(0.01)
      const box = await film.boundingBox()
      expect(box?.width).toBeGreaterThan(size.width / 2)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(size.width)
    }
  })
})

test.describe('a film on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a tap while the controls are hidden only shows them, the next tap pauses', async ({
    opened,
    page,
    server,
  }) => {
    writeFileSync(join(server.root, 'film.webm'), await filmFrom(page))
    await page.clock.install()
    await opened.open('/film.webm')
    const film = opened.player('film.webm')
    const frame = opened.playerFrame('film.webm')
    for (const name of ['Play', 'Mute', 'Full screen']) {
      await expect(frame.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    }
    await film.evaluate((player: HTMLVideoElement) => {
      player.loop = true
    })
    await frame.getByRole('button', { name: 'Play' }).tap()
    const controls = frame.getByRole('toolbar', { name: 'Player' }).locator('..')
    await page.clock.runFor(2 * ON_DEMAND_LIMITS.viewerIdleMs)
    await expect(controls).toHaveCSS('opacity', '0')
    await film.tap({ position: { x: 40, y: 40 } })
    await expect(controls).toHaveCSS('opacity', '1')
    await expect(film).toHaveJSProperty('paused', false)
    await film.tap({ position: { x: 40, y: 40 } })
    await expect(film).toHaveJSProperty('paused', true)
  })
})

test.describe('a film on a laptop with a touch screen', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('a tap on a hidden control only shows it, the next tap activates it', async ({
    opened,
    page,
    server,
  }) => {
    const create = { width: 600, height: 400, channels: 3, background: 'teal' } as const
    writeFileSync(join(server.root, 'a.webm'), await filmFrom(page))
    for (const name of ['b.png', 'c.png'])
      writeFileSync(join(server.root, name), await sharp({ create }).png().toBuffer())
    await page.clock.install()
    await opened.open('/a.webm')
    await opened.player('a.webm').evaluate((player: HTMLVideoElement) => {
      player.loop = true
      return player.play()
    })
    const next = opened.turn('Next')
    await page.clock.runFor(2 * ON_DEMAND_LIMITS.viewerIdleMs)
    await expect(next).toHaveCSS('opacity', '0')
    const finger = new Finger(page)
    await finger.down(next)
    await finger.up()
    await expect(next).toHaveCSS('opacity', '1')
    await finger.down(next)
    await finger.up()
    await expect(opened.picture('b.png')).toBeVisible()
    // If the first tap had turned the page too, this would return to the second picture.
    await opened.turn('Previous').click()
    await expect(opened.player('a.webm')).toBeVisible()
  })
})

test('a picture has its number, a black stage in both themes, and a ground that shows black ink', async ({
  opened,
  page,
  server,
}) => {
  const ink = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect x="100" y="100" width="200" height="100"/></svg>',
  )
  for (const name of ['a.png', 'b.png', 'c.png'])
    writeFileSync(join(server.root, name), await sharp(ink).png().toBuffer())
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await opened.open('/b.png')
    await expect(opened.picture('b.png')).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: '2 of 3' })).toBeVisible()
    await expect(page.locator('.Preview')).toHaveCSS('background-color', 'oklch(0 0 0)')
    // A pixel of the transparent edge is much lighter than the black ink.
    const shot = sharp(await opened.picture('b.png').screenshot())
    const edge = await shot.extract({ left: 20, top: 20, width: 60, height: 60 }).toBuffer()
    const stats = await sharp(edge).stats()
    expect(stats.channels[0]?.min).toBeGreaterThan(110)
  }
})

test('after a deletion the next file is shown, and after the last the folder', async ({
  files,
  opened,
  page,
  server,
}) => {
  for (const name of ['a.bin', 'b.bin', 'c.bin'])
    writeFileSync(join(server.root, name), Uint8Array.of(0, 1))
  await files.openRoot()
  await files.row('b.bin').dblclick()
  for (const [gone, follower] of [
    ['b.bin', 'c.bin'],
    ['c.bin', 'a.bin'],
  ] as const) {
    await opened.shows(gone)
    await opened.action('Delete').click()
    await opened.shows(follower)
    expect(existsSync(join(server.root, gone))).toBe(false)
  }
  await opened.action('Delete').click()
  await expect(page.getByText('This folder is empty')).toBeVisible()
})

test('back does not reopen a closed file', async ({ files, opened, page, server }) => {
  mkdirSync(join(server.root, 'in'))
  for (const name of ['a.bin', 'b.bin'])
    writeFileSync(join(server.root, 'in', name), Uint8Array.of(0, 1))
  await files.openRoot()
  await files.row('in').dblclick()
  await files.row('a.bin').dblclick()
  await opened.shows('a.bin')
  await opened.turn('Next').click()
  await opened.shows('b.bin')
  await opened.close()
  await expect(files.row('b.bin')).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await files.shows('in')

  // After a typed URL of a file there is no earlier page of its folder.
  await opened.open('/in/a.bin')
  await opened.close()
  await files.shows('a.bin', 'b.bin')
  await page.goBack()
  await files.shows('in')
})

test('a broken link offers no download', async ({ files, opened, page, server }) => {
  symlinkSync('gone.txt', join(server.root, 'broken.txt'))
  symlinkSync('gone.jpg', join(server.root, 'broken.jpg'))
  await files.openRoot()
  await files.row('broken.txt').click({ button: 'right' })
  await expect(files.menuItem('Rename…')).toBeVisible()
  await expect(files.menuItem('Download')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(files.action('Download')).toBeHidden()
  await opened.open('/broken.jpg')
  await expect(page.getByText('This link is broken')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download' })).toBeHidden()
})

test('links that cannot be opened say why to an administrator, in the list and at their address', async ({
  files,
  opened,
  page,
  server,
}) => {
  symlinkSync('gone.txt', join(server.root, 'broken.txt'))
  symlinkSync('itself', join(server.root, 'itself'))
  symlinkSync('/nonexistent/file', join(server.root, 'away'))
  await files.openRoot()
  await expect(files.row('broken.txt')).toContainText('Broken link')
  await expect(files.row('itself')).toContainText('Broken link')
  await expect(files.row('away')).toContainText('Link outside')
  for (const [path, text] of [
    ['/broken.txt', '“broken.txt” is a link whose target does not exist.'],
    ['/itself', '“itself” is a link whose target does not exist.'],
    ['/away', '“away” is a link to something outside your folder. It cannot be opened here.'],
  ] as const) {
    await opened.open(path)
    await expect(page.getByText(text)).toBeVisible()
  }
})

test('the storage use is requested once for the files of a folder', async ({
  files,
  opened,
  page,
  server,
}) => {
  await files.openRoot()
  for (const name of ['a.bin', 'b.bin']) writeFileSync(join(server.root, name), Uint8Array.of(0, 1))
  const asked = await requestsAfterReload(page, (request) =>
    pathOf(request).startsWith('/api/usage'),
  )
  await files.row('a.bin').dblclick()
  await opened.shows('a.bin')
  await opened.turn('Next').click()
  await opened.shows('b.bin')
  expect(asked.map(pathOf)).toEqual(['/api/usage/'])
  // The viewer closes, and the folder is loaded again, also by its events.
  await page.keyboard.press('Escape')
  await files.shows('a.bin', 'b.bin')
  await files.delete('a.bin')
  await expect.poll(() => asked.map(pathOf)).toEqual(['/api/usage/', '/api/usage/'])
})
