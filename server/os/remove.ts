/**
 * Removal of files and folders, as in node:fs. On Windows a tree is removed step by step: for a tree, the runtime asks for a
 * kind of deletion that not every file system has.
 */
import {
  lstatSync,
  promises,
  type RmOptions,
  readdirSync,
  rmdirSync,
  rmSync as rmOfRuntime,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from './errno.ts'

type Path = string | Buffer
type Options = Pick<RmOptions, 'recursive' | 'force'>

const isStepwise = process.platform === 'win32'

/**
 * As `rmSync` of node:fs.
 *
 * @param inSteps as on Windows
 * @throws system errors
 */
export function rmSync(path: Path, options: Options = {}, inSteps = isStepwise): void {
  if (inSteps && options.recursive) removeTree(path, options)
  else rmOfRuntime(path, options)
}

/** As `promises.rm` of node:fs. @throws system errors */
export async function rm(path: Path, options: Options = {}): Promise<void> {
  if (isStepwise && options.recursive) removeTree(path, options)
  else await promises.rm(path, options)
}

/** Removes a tree, or what else has the name; links are not followed. @throws system errors */
function removeTree(path: Path, { force = false }: Options = {}): void {
  try {
    removeAll(path)
  } catch (error) {
    if (!force || errnoOf(error) !== 'ENOENT') throw error
  }
}

function removeAll(path: Path): void {
  if (!lstatSync(path).isDirectory()) {
    unlinkSync(path)
    return
  }
  for (const name of readdirSync(path, { encoding: 'buffer' })) removeAll(inFolder(path, name))
  rmdirSync(path)
}

/** A name need not be UTF-8. */
function inFolder(folder: Path, name: Buffer): Path {
  if (isStepwise) return join(String(folder), String(name))
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), name])
}
