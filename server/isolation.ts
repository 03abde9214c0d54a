/** The isolation of programs, as the configuration and this machine allow it. */
import { hasOpenBeneath } from '#server/os/open-beneath.ts'
import type { Config } from './config/config.ts'
import { secretFiles } from './config/reserved-paths.ts'
import { LANDLOCK_MIN_VERSION, landlockVersion } from './shell/landlock.ts'
import { FRAME_LIMITS, findFfmpeg, MediaFrames } from './shell/media-frames.ts'
import { Shell } from './shell/shell.ts'
import { servedFolder } from './tree.ts'

/** The isolation of commands on this machine, after a test. */
export async function commandIsolation(
  config: Config,
): Promise<Pick<Shell, 'isolation' | 'notice'>> {
  const { isolation, notice } = await openShell(servedFolder(config.text('root')), config)
  return { isolation, notice }
}

/** The kernel features of this machine. */
export function machineLimits(): { beneath: boolean; landlock: number; landlockNeeded: number } {
  return {
    beneath: hasOpenBeneath(),
    landlock: landlockVersion(),
    landlockNeeded: LANDLOCK_MIN_VERSION,
  }
}

export function openShell(root: string, config: Config): Promise<Shell> {
  return Shell.open({
    isEnabled: config.flag('exec'),
    unconfined: config.flag('execUnconfined'),
    network: config.flag('execNetwork'),
    root,
    ownFiles: secretFiles(config),
    limits: {
      timeMs: config.number('execTimeout') * 1000,
      memoryBytes: config.number('execMemory'),
      processes: config.number('execProcesses'),
      outputBytes: config.number('execOutput'),
      fileBytes: config.number('uploadLimit'),
    },
  })
}

/** Pictures of video and audio files, if ffmpeg is installed; it is always isolated. */
export function createMediaFrames(root: string, config: Config): MediaFrames | undefined {
  const ffmpeg = findFfmpeg()
  const options = { isEnabled: true, unconfined: false, network: false, root, limits: FRAME_LIMITS }
  if (!ffmpeg) return undefined
  return new MediaFrames(ffmpeg, () => Shell.open({ ...options, ownFiles: secretFiles(config) }))
}
