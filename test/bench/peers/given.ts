/**
 * A server with the API of File Browser that runs already: `--peer http://user:password@host:port`, and
 * `--peer-folder PATH`, the folder that it serves. The benchmark creates its files in one new folder there, and removes
 * it at the end.
 */
import { basename } from 'node:path'
import { temporaryFolder } from '../../support/files/tree.ts'
import { signIn } from '../../support/server/client.ts'
import type { Peer } from './peer.ts'
import { fileBrowserLike } from './servers.ts'
import { fillTree } from './tree.ts'

/** @returns undefined without `--peer`. @throws Error if the user cannot sign in, or `--peer-folder` is missing */
export async function givenServer(): Promise<Peer | undefined> {
  const { FILEMGR_PEER: address, FILEMGR_PEER_FOLDER: servedFolder } = process.env
  if (!address) return undefined
  if (!servedFolder) throw new Error('--peer needs --peer-folder: the folder that it serves.')
  const { origin, pathname, username, password } = new URL(address)
  const url = `${origin}${pathname}`.replace(/\/$/, '')
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)]
  const { token } = await signIn(url, name, secret)
  const folder = temporaryFolder('filemgr-bench-', servedFolder)
  try {
    await fillTree(folder.path)
  } catch (error) {
    folder.remove()
    throw error
  }
  return {
    ...fileBrowserLike(url, token, folder.path, `/${basename(folder.path)}`),
    clear: () => folder.remove(),
  }
}
