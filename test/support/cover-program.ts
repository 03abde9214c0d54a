/**
 * Makes a thumbnail with a program in place of ffmpeg, in a jail. To set up a jail, the server starts its own
 * executable again; this file takes the part of the executable. Arguments: the program, the root folder, limits as
 * JSON. It prints the result.
 */
import { closeSync, openSync } from 'node:fs'
import { MediaFrames } from '#server/shell/media-frames.ts'
import { PICTURE_LIMITS } from '#server/shell/picture-program.ts'
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
      isEnabled: true,
      unconfined: false,
      network: false,
      root,
      ownFiles: [],
      limits: { ...PICTURE_LIMITS, ...JSON.parse(limits) },
    }),
  )
  const bytes = await covers.frame(folder, 'film.mp4')
  await covers.close()
  process.stdout.write(bytes ? `picture: ${new TextDecoder().decode(bytes)}` : 'none')
}
