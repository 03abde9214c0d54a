/** The limits of the program that extracts a frame of a film: a script that exceeds them runs instead of ffmpeg. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PICTURE_LIMITS } from '#server/shell/pictures/picture-program.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { makeJailFolders } from '../../../support/system/jail.ts'

setDefaultTimeout(30_000)

let folder: ReturnType<typeof temporaryFolder>
beforeAll(() => {
  folder = temporaryFolder()
  makeJailFolders(folder.path)
  writeFileSync(join(folder.path, 'top/sub/film.mp4'), 'film')
})
afterAll(() => folder.remove())

/** The output of `frame-program.ts`, with this script instead of ffmpeg. */
async function frameBy(
  script: string,
  limits: Partial<typeof PICTURE_LIMITS> = {},
): Promise<string> {
  const program = join(folder.path, 'ffmpeg')
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const main = join(import.meta.dir, '../../../support/system/frame-program.ts')
  const args = [program, join(folder.path, 'top'), JSON.stringify(limits)]
  const child = Bun.spawn([process.execPath, main, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Response(child.stdout).text()
}

test('the frame that the program extracts arrives', async () => {
  expect(await frameBy('cat film.mp4')).toBe('frame: film')
})

test('a program that exceeds its time, output or memory gives no frame', async () => {
  expect(await frameBy('echo begun; exec sleep 20', { timeMs: 1000 })).toBe('none')
  expect(await frameBy('exec cat /dev/zero')).toBe('none')
  // With more memory, the same script gives a frame.
  const fill = 'exec perl -e \'$x = "x" x 3e8; print "filled"\''
  expect(await frameBy(fill, { memoryBytes: 2 ** 27 })).toBe('none')
  expect(await frameBy(fill)).toBe('frame: filled')
})

test('the program that extracts frames writes no file and has no network', async () => {
  const socketTest =
    'perl -MSocket -e \'print socket(S, PF_INET, SOCK_STREAM, 0) ? "net" : "none"\''
  expect(await frameBy(`echo x > made 2>/dev/null || printf "ro "; ${socketTest}`)).toBe(
    'frame: ro none',
  )
})
