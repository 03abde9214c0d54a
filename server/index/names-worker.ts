/** The worker thread of the name index. */
import type { TreePath } from '#wire/paths.ts'
import { IndexThread } from './index-thread.ts'
import type { IndexRequest, IndexResponse } from './protocol.ts'

declare const self: Worker

let index: IndexThread | undefined

self.onmessage = ({ data }: MessageEvent<IndexRequest>) => {
  if ('open' in data) {
    index = new IndexThread(data.open, (response) =>
      self.postMessage(response, buffersOf(response)),
    )
    void index.open()
  } else if ('search' in data) void index?.search(data.search, data.folder, data.query)
  else if ('more' in data) index?.more(data.more)
  else if ('stop' in data) index?.stop(data.stop)
  else if ('ping' in data) self.postMessage({ pong: true } satisfies IndexResponse)
  else if ('changed' in data) index?.changed(data.changed)
  else if ('sizes' in data) void sendSizes(data.sizes, data.folder)
  else {
    index?.save()
    self.postMessage({ saved: data.save } satisfies IndexResponse)
  }
}

async function sendSizes(sizes: number, folder: TreePath): Promise<void> {
  const response: IndexResponse = { sizes, result: await index?.sizes(folder) }
  self.postMessage(response, buffersOf(response))
}

/** Buffers that are transferred instead of copied. */
function buffersOf(response: IndexResponse): ArrayBuffer[] {
  if ('batch' in response) return [response.batch.paths.buffer, response.batch.bits.buffer]
  if ('result' in response && response.result)
    return [response.result.names.buffer, response.result.bytes.buffer]
  return []
}
