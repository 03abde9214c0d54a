/**
 * Extracts a frame of `sub/film.mp4` with a program instead of ffmpeg, in a jail. Arguments: the program, the root
 * folder, limits as JSON. It prints `frame: ` and the output of the program, or `none`.
 *
 * To set up a jail, the server starts its own executable again with the argument `jail`. Here that executable is this
 * file, so it then runs the command line.
 */
import { closeSync, openSync } from 'node:fs'
import { MediaFrames } from '#server/shell/pictures/media-frames.ts'
import { PICTURE_LIMITS } from '#server/shell/pictures/picture-program.ts'
import { Shell } from '#server/shell/shell.ts'
import type { CommandFolder } from '#server/storage/storage.ts'
import { parsePath } from '#wire/paths.ts'

const [program = '', root = '', limits = '{}'] = process.argv.slice(2)
if (program === 'jail') await import('#cli/main.ts')
else {
  const folder = async (): Promise<CommandFolder> => {
    const fd = openSync(root, 'r')
    // `fd` and `disk` are the root; `folder` is the path below it in which the program starts.
    const close = () => closeSync(fd)
    return {
      fd,
      disk: root,
      folder: parsePath('/sub'),
      hidden: [],
      silent: [],
      [Symbol.dispose]: close,
    }
  }
  const frames = new MediaFrames(program, () =>
    Shell.open({
      isEnabled: true,
      isUnconfined: false,
      network: false,
      root,
      secretFiles: [],
      limits: { ...PICTURE_LIMITS, ...JSON.parse(limits) },
    }),
  )
  try {
    const bytes = await frames.frame(folder, 'film.mp4')
    process.stdout.write(bytes ? `frame: ${new TextDecoder().decode(bytes)}` : 'none')
  } finally {
    await frames.close()
  }
}
