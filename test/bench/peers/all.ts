/** All installed peers, with the folder that they serve. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/tree.ts'
import { given } from './given.ts'
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
import { fill } from './tree.ts'

export interface Peers extends Disposable {
  served: Served
  list: Peer[]
}

/** Prepares the peers, and prints the names of those that are not installed. */
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
    await fill(served.path)
    const prepare = {
      filemgr: ownServer,
      'filemgr, relaxed': relaxedServer,
      bareBun: bareServer,
      'the library of tus': tusLibraryServer,
      nginx,
      rclone,
      copyparty,
      '--peer': given,
    }
    for (const [name, prepared] of Object.entries(prepare)) {
      const peer = await prepared(served)
      if (peer) list.push(peer)
      else process.stdout.write(`${name} is not installed, and is skipped.\n`)
    }
    return peers
  } catch (error) {
    peers[Symbol.dispose]()
    throw error
  }
}
