/** The worker thread of the name index. */
import type { TreePath } from '#wire/paths.ts'
import { IndexThread } from './index-thread.ts'
import type { IndexRequest, IndexResponse } from './protocol.ts'

declare const self: Worker

let index: IndexThread | undefined

self.onmessage = ({ data }: MessageEvent<IndexRequest>) => {
  if ('open' in data) {
    index = new IndexThread(data.open, (answer) => self.postMessage(answer, buffersOf(answer)))
    void index.open()
  } else if ('search' in data) void index?.search(data.search, data.folder, data.query)
  else if ('more' in data) index?.more(data.more)
  else if ('stop' in data) index?.stop(data.stop)
  else if ('changed' in data) index?.changed(data.changed)
  else if ('sizes' in data) void answerSizes(data.sizes, data.folder)
  else {
    index?.save()
    self.postMessage({ saved: data.save } satisfies IndexResponse)
  }
}

async function answerSizes(sizes: number, folder: TreePath): Promise<void> {
  const answer: IndexResponse = { sizes, found: await index?.sizes(folder) }
  self.postMessage(answer, buffersOf(answer))
}

/** Buffers that are transferred instead of copied. */
function buffersOf(answer: IndexResponse): ArrayBuffer[] {
  if ('batch' in answer) return [answer.batch.paths.buffer, answer.batch.bits.buffer]
  if ('found' in answer && answer.found)
    return [answer.found.names.buffer, answer.found.bytes.buffer]
  return []
}
