/**
 * A server with the API of File Browser that runs already: `--peer http://user:password@host:port` and the folder that
 * it serves, `--peer-folder PATH`. The files of the benchmark are created in a folder of their own there, and removed at
 * the end.
 */
import { basename } from 'node:path'
import { signIn } from '../../support/client.ts'
import { temporaryFolder } from '../../support/tree.ts'
import type { Peer } from './peer.ts'
import { fileBrowserLike } from './servers.ts'
import { fill } from './tree.ts'

/** @throws Error if the user cannot log in, or `--peer-folder` is missing */
export async function given(): Promise<Peer | undefined> {
  const { FILEMGR_PEER: address, FILEMGR_PEER_FOLDER: above } = process.env
  if (!address) return undefined
  if (!above) throw new Error('--peer needs --peer-folder: the folder that it serves.')
  const { origin, pathname, username, password } = new URL(address)
  const url = `${origin}${pathname}`.replace(/\/$/, '')
  const person = [username, password].map(decodeURIComponent) as [string, string]
  const { token } = await signIn(url, ...person)
  const folder = temporaryFolder('filemgr-bench-', above)
  try {
    await fill(folder.path)
  } catch (error) {
    folder.remove()
    throw error
  }
  return {
    ...fileBrowserLike(url, token, folder.path, `/${basename(folder.path)}`),
    clear: () => folder.remove(),
  }
}
