/**
 * Draws a picture with a program in the place of ffmpeg, in a jail that this very file becomes: the server
 * starts itself again to build one. Words: the program, the top folder, limits as JSON. Prints what came.
 */
import { closeSync, openSync } from 'node:fs'
import { FRAME_LIMITS, MediaFrames } from '#server/shell/media-frames.ts'
import { Shell } from '#server/shell/shell.ts'
import type { CommandFolder } from '#server/storage/storage.ts'
import { parsePath } from '#wire/paths.ts'

const [program = '', root = '', limits = '{}'] = process.argv.slice(2)
if (program === 'jail') await import('#cli/main.ts')
else {
  const folder = async (): Promise<CommandFolder> => {
    const fd = openSync(root, 'r')
    const close = () => closeSync(fd)
    return { fd, disk: root, folder: parsePath('/sub'), hidden: [], [Symbol.dispose]: close }
  }
  const covers = new MediaFrames(program, () =>
    Shell.open({
      wanted: true,
      unconfined: false,
      network: false,
      root,
      ownFiles: [],
      limits: { ...FRAME_LIMITS, ...JSON.parse(limits) },
    }),
  )
  const bytes = await covers.frame(folder, 'film.mp4')
  await covers.close()
  process.stdout.write(bytes ? `picture: ${new TextDecoder().decode(bytes)}` : 'none')
}
