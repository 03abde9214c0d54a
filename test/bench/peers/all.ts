/** filemgr and all available peers, with the folder that they serve. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/files/tree.ts'
import { givenServer } from './given.ts'
import type { Peer, Served } from './peer.ts'
import {
  bareServer,
  copyparty,
  nginx,
  ownServer,
  rclone,
  relaxedServer,
  tusLibraryServer,
} from './servers.ts'
import { fillTree } from './tree.ts'

export interface Peers extends Disposable {
  served: Served
  list: Peer[]
}

/** Prepares the servers, and prints the names of those that are not available. Disposal removes their files. */
export async function openPeers(): Promise<Peers> {
  const folder = temporaryFolder('filemgr-bench-')
  const served = { path: join(folder.path, 'root'), scratch: join(folder.path, 'scratch') }
  const list: Peer[] = []
  const peers = {
    served,
    list,
    [Symbol.dispose]() {
      for (const peer of list) peer.clear?.()
      folder.remove()
    },
  }
  try {
    for (const path of Object.values(served)) mkdirSync(path)
    await fillTree(served.path)
    const servers = {
      filemgr: ownServer,
      'filemgr, relaxed': relaxedServer,
      bareBun: bareServer,
      'the library of tus': tusLibraryServer,
      nginx,
      rclone,
      copyparty,
      '--peer': givenServer,
    }
    for (const [name, prepare] of Object.entries(servers)) {
      const peer = await prepare(served)
      if (peer) list.push(peer)
      else process.stdout.write(`${name} is not available, and is skipped.\n`)
    }
    return peers
  } catch (error) {
    peers[Symbol.dispose]()
    throw error
  }
}
