/**
 * Draws a picture with a program in the place of ffmpeg, in a jail that this very file becomes: the server
 * starts itself again to build one. Words: the program, the top folder, limits as JSON. Prints what came.
 */
import { closeSync, openSync } from 'node:fs'
import { COVER_LIMITS, Covers } from '#server/shell/covers.ts'
import { Shell } from '#server/shell/shell.ts'
import type { Workplace } from '#server/storage/storage.ts'
import { parsePath } from '#wire/paths.ts'

const [program = '', root = '', limits = '{}'] = process.argv.slice(2)
if (program === 'jail') await import('#cli/main.ts')
else {
  const place = async (): Promise<Workplace> => {
    const fd = openSync(root, 'r')
    const close = () => closeSync(fd)
    return { fd, disk: root, folder: parsePath('/sub'), hidden: [], [Symbol.dispose]: close }
  }
  const covers = new Covers(program, () =>
    Shell.open({
      wanted: true,
      unconfined: false,
      network: false,
      root,
      ownFiles: [],
      limits: { ...COVER_LIMITS, ...JSON.parse(limits) },
    }),
  )
  const bytes = await covers.frame(place, 'film.mp4')
  await covers.close()
  process.stdout.write(bytes ? `picture: ${new TextDecoder().decode(bytes)}` : 'none')
}
