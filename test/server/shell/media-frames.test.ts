/** What drawing a picture of a film may cost: a program in the place of ffmpeg that takes too much. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PICTURE_LIMITS } from '#server/shell/picture-program.ts'
import { makeJailFolders } from '../../support/jail.ts'
import { temporaryFolder } from '../../support/tree.ts'

setDefaultTimeout(30_000)

let folder: ReturnType<typeof temporaryFolder>
beforeAll(() => {
  folder = temporaryFolder()
  makeJailFolders(folder.path)
  writeFileSync(join(folder.path, 'top/sub/film.mp4'), 'film')
})
afterAll(() => folder.remove())

/** What comes of a film when this script draws its picture. */
async function drawn(script: string, limits: Partial<typeof PICTURE_LIMITS> = {}): Promise<string> {
  const program = join(folder.path, 'ffmpeg')
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const main = join(import.meta.dir, '../../support/cover-program.ts')
  const words = [program, join(folder.path, 'top'), JSON.stringify(limits)]
  const child = Bun.spawn([process.execPath, main, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Response(child.stdout).text()
}

test('the frame that the program extracts arrives', async () => {
  expect(await drawn('cat film.mp4')).toBe('picture: film')
})

test('a program that exceeds its time, output or memory gives no frame', async () => {
  expect(await drawn('echo begun; exec sleep 20', { timeMs: 1000 })).toBe('none')
  expect(await drawn('exec cat /dev/zero')).toBe('none')
  // One that would show a picture once it has so much memory.
  const fill = 'exec perl -e \'$x = "x" x 3e8; print "filled"\''
  expect(await drawn(fill, { memoryBytes: 2 ** 27 })).toBe('none')
  expect(await drawn(fill)).toBe('picture: filled')
})

test('the program that extracts frames writes no file and has no network', async () => {
  const asks = 'perl -MSocket -e \'print socket(S, PF_INET, SOCK_STREAM, 0) ? "net" : "none"\''
  expect(await drawn(`echo x > made 2>/dev/null || printf "ro "; ${asks}`)).toBe('picture: ro none')
})
