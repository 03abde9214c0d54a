/**
 * A server with File Browser's API that somebody else has started: `--peer http://user:password@host:port` and, where
 * that server's folder is on this machine, `--peer-folder PATH`. The bench's files are made in a folder of their own
 * there, and are removed at the end.
 */
import { basename } from 'node:path'
import { signIn } from '../../support/client.ts'
import { temporaryFolder } from '../../support/tree.ts'
import type { Peer } from './peer.ts'
import { fileBrowserLike } from './servers.ts'
import { fill } from './tree.ts'

/** @throws Error when it lets nobody in, or nobody says where its files are */
export async function given(): Promise<Peer | undefined> {
  const { FILEMGR_PEER: address, FILEMGR_PEER_FOLDER: above } = process.env
  if (!address) return undefined
  if (!above) throw new Error('--peer needs --peer-folder: the folder that it serves.')
  const { origin, pathname, username, password } = new URL(address)
  const url = `${origin}${pathname}`.replace(/\/$/, '')
  const person = [username, password].map(decodeURIComponent) as [string, string]
  const { token } = await signIn(url, ...person)
  const folder = temporaryFolder('filemgr-bench-', above)
  fill(folder.path)
  return {
    ...fileBrowserLike(url, token, `/${basename(folder.path)}`),
    clear: () => folder.remove(),
  }
}
