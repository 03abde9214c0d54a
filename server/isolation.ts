/** Opens the isolation of commands and of programs for pictures, as the configuration and this machine allow it. */
import { hasOpenBeneath } from '#server/os/open-beneath.ts'
import { LANDLOCK_MIN_VERSION, landlockVersion } from '#server/shell/isolation/landlock.ts'
import {
  DOCUMENT_LIMITS,
  DocumentPages,
  findSoffice,
} from '#server/shell/pictures/document-pages.ts'
import { findHeifDecoder, HEIF_LIMITS, HeifPictures } from '#server/shell/pictures/heif-pictures.ts'
import { findFfmpeg, MediaFrames } from '#server/shell/pictures/media-frames.ts'
import { findPdftoppm, PdfPages } from '#server/shell/pictures/pdf-pages.ts'
import { PICTURE_LIMITS } from '#server/shell/pictures/picture-program.ts'
import {
  findFfmpegTools,
  SUBTITLE_LIMITS,
  SubtitleProgram,
} from '#server/shell/pictures/subtitle-program.ts'
import type { Config } from './config/config.ts'
import { secretFiles } from './config/reserved-paths.ts'
import type { ProgramLimits } from './shell/program.ts'
import { Shell } from './shell/shell.ts'
import { servedFolder } from './tree.ts'

/** Tests which isolation of commands is possible with this configuration on this machine. */
export async function commandIsolation(
  config: Config,
): Promise<Pick<Shell, 'isolation' | 'notice'>> {
  const { isolation, notice } = await openShell(servedFolder(config.text('root')), config)
  return { isolation, notice }
}

/**
 * The kernel features of this machine. `beneath`: openat2(2) works. `landlock`: the version of Landlock, 0 if there is
 * none; `landlockNeeded`: the lowest version that isolates commands.
 */
export function machineLimits(): { beneath: boolean; landlock: number; landlockNeeded: number } {
  return {
    beneath: hasOpenBeneath(),
    landlock: landlockVersion(),
    landlockNeeded: LANDLOCK_MIN_VERSION,
  }
}

/** Opens the shell, which starts commands. Without `--exec`, or without isolation, it refuses them. */
export function openShell(root: string, config: Config): Promise<Shell> {
  return Shell.open({
    isEnabled: config.flag('exec'),
    isUnconfined: config.flag('execUnconfined'),
    network: config.flag('execNetwork'),
    root,
    secretFiles: secretFiles(config),
    limits: {
      timeMs: config.number('execTimeout') * 1000,
      memoryBytes: config.number('execMemory'),
      processes: config.number('execProcesses'),
      outputBytes: config.number('execOutput'),
      fileBytes: config.number('uploadLimit'),
    },
  })
}

/** The kinds of files that need a program for previews, with its package in Debian, and whether it is installed. */
export function previewPrograms(): { files: string; packages: string; isInstalled: boolean }[] {
  return [
    { files: 'films', packages: 'ffmpeg', isInstalled: findFfmpeg() !== undefined },
    { files: 'PDF files', packages: 'poppler-utils', isInstalled: findPdftoppm() !== undefined },
    {
      files: 'HEIC pictures',
      packages: 'libheif-examples',
      isInstalled: findHeifDecoder() !== undefined,
    },
    {
      files: 'office documents',
      packages: 'libreoffice-writer-nogui',
      isInstalled: findSoffice() !== undefined,
    },
  ]
}

/** The programs that make pictures of files, as far as they are installed. They are always isolated. */
export interface PicturePrograms {
  frames: MediaFrames | undefined
  pages: PdfPages | undefined
  documents: DocumentPages | undefined
  heif: HeifPictures | undefined
  subtitles: SubtitleProgram | undefined
  close(): void
}

export function createPicturePrograms(root: string, config: Config): PicturePrograms {
  const options = {
    isEnabled: true,
    isUnconfined: false,
    network: false,
    root,
  }
  const openWith = (limits: ProgramLimits) => () =>
    Shell.open({ ...options, limits, secretFiles: secretFiles(config) })
  const open = openWith(PICTURE_LIMITS)
  const [ffmpeg, pdftoppm, sofficeFolder] = [findFfmpeg(), findPdftoppm(), findSoffice()]
  const frames = ffmpeg === undefined ? undefined : new MediaFrames(ffmpeg, open)
  const pages = pdftoppm === undefined ? undefined : new PdfPages(pdftoppm, open)
  const documents =
    sofficeFolder === undefined
      ? undefined
      : new DocumentPages(sofficeFolder, openWith(DOCUMENT_LIMITS))
  const decoder = findHeifDecoder()
  const heif = decoder === undefined ? undefined : new HeifPictures(decoder, openWith(HEIF_LIMITS))
  const tools = findFfmpegTools()
  const subtitles =
    tools === undefined ? undefined : new SubtitleProgram(tools, openWith(SUBTITLE_LIMITS))
  return {
    frames,
    pages,
    documents,
    heif,
    subtitles,
    close() {
      void frames?.close()
      void pages?.close()
      void documents?.close()
      void heif?.close()
      void subtitles?.close()
    },
  }
}
