/** What a tar is compressed with, undone: by the runtime's own threads, or by one thread for each stream. */
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import type { ArchiveKind } from '#wire/archives.ts'
import { type Bytes, damaged } from './member.ts'
import { through } from './through.ts'
import type { FromThread, ThreadCodec, ToThread } from './uncompress-worker.ts'
import { withinWindow } from './xz-window.ts'

/** @throws Fault unprocessable for what is damaged */
export function uncompress(kind: Exclude<ArchiveKind, 'zip'>, bytes: Bytes): Bytes {
  switch (kind) {
    case 'tar':
      return bytes
    case 'gz':
      return through(bytes, createGunzip())
    case 'br':
      return through(bytes, createBrotliDecompress())
    case 'zst':
      return through(bytes, createZstdDecompress())
    case 'xz':
      return inThread(kind, withinWindow(bytes))
    default:
      return inThread(kind, bytes)
  }
}

/** The executable knows a worker by its place in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/extract/uncompress-worker.ts'
  : new URL('./uncompress-worker.ts', import.meta.url)

async function* inThread(codec: ThreadCodec, bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  const source = bytes[Symbol.asyncIterator]()
  const worker = new Worker(WORKER)
  let told = Promise.withResolvers<FromThread>()
  worker.onmessage = ({ data }: MessageEvent<FromThread>) => told.resolve(data)
  worker.onerror = ({ message }) => told.resolve({ failure: message })
  const ask = async (message: ToThread) => {
    told = Promise.withResolvers()
    worker.postMessage(message)
    return told.promise
  }
  try {
    worker.postMessage({ codec } satisfies ToThread)
    for (let answer = await ask('next'); answer !== 'end'; ) {
      if (answer === 'more') {
        const { done, value } = await source.next()
        answer = await ask({ part: done ? undefined : new Uint8Array(value) })
      } else if ('failure' in answer) throw damaged()
      else {
        yield answer.part
        answer = await ask('next')
      }
    }
  } finally {
    worker.terminate()
    await source.return?.()
  }
}
