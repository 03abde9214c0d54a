/**
 * The folders in which a program keeps its files for the account that runs it: those of XDG; on Windows those below
 * `%LOCALAPPDATA%`, which only that account and administrators can read; on macOS those below `~/Library`.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'

const NAME = 'filemgr'

export interface UserFolders {
  /** The folder of the account that holds `data`; it exists on most systems. */
  allData: string
  /** For the database. */
  data: string
  cache: string
  /** For the configuration file; the first counts. */
  config: readonly string[]
}

/** @returns the folders of the program; they need not exist */
export function userFolders(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): UserFolders {
  if (platform === 'win32') return ofWindows(env)
  return platform === 'darwin' ? ofMac(env) : ofXdg(env)
}

function ofXdg(env: NodeJS.ProcessEnv): UserFolders {
  const home = env.HOME || homedir()
  const allData = env.XDG_DATA_HOME || join(home, '.local', 'share')
  return {
    allData,
    data: join(allData, NAME),
    cache: join(env.XDG_CACHE_HOME || join(home, '.cache'), NAME),
    config: [join(env.XDG_CONFIG_HOME || join(home, '.config'), NAME), join('/etc', NAME)],
  }
}

/** Those of XDG count where the account names them. */
function ofMac(env: NodeJS.ProcessEnv): UserFolders {
  const library = join(env.HOME || homedir(), 'Library')
  const allData = env.XDG_DATA_HOME || join(library, 'Application Support')
  return {
    allData,
    data: join(allData, NAME),
    cache: join(env.XDG_CACHE_HOME || join(library, 'Caches'), NAME),
    config: [
      join(env.XDG_CONFIG_HOME || join(library, 'Application Support'), NAME),
      join('/etc', NAME),
    ],
  }
}

/** Every account may create folders at the top of a drive, so no configuration is read from `/etc` there. */
function ofWindows(env: NodeJS.ProcessEnv): UserFolders {
  const allData = env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local')
  const data = join(allData, NAME)
  return { allData, data, cache: join(data, 'cache'), config: [data] }
}
