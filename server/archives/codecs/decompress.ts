/** Decompresses a tar or a member of a zip, with the runtime's threads or one worker for each stream. */
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { Fault } from '#wire/fault.ts'
import type { ArchiveKind } from '#wire/formats/archives.ts'
import { type Bytes, damagedArchive } from '../member.ts'
import { pipeThrough } from '../streams/through.ts'
import type { ThreadCodec, WorkerInput, WorkerOutput } from './decompress-worker.ts'
import { limitXzMemory } from './xz-window.ts'

/** @throws Fault unprocessable for a damaged stream, internal if the module for the format cannot be loaded */
export function decompress(kind: Exclude<ArchiveKind, 'zip'> | 'deflate64', bytes: Bytes): Bytes {
  switch (kind) {
    case 'tar':
      return bytes
    case 'gz':
      return pipeThrough(bytes, createGunzip())
    case 'br':
      return pipeThrough(bytes, createBrotliDecompress())
    case 'zst':
      return pipeThrough(bytes, createZstdDecompress())
    case 'xz':
      return inThread(kind, limitXzMemory(bytes))
    default:
      return inThread(kind, bytes)
  }
}

/** In the executable a worker is named by its path in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/archives/codecs/decompress-worker.ts'
  : new URL('./decompress-worker.ts', import.meta.url)

/** Decompresses in a worker of its own. It sends one message at a time, and waits for the response. */
async function* inThread(codec: ThreadCodec, bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  const source = bytes[Symbol.asyncIterator]()
  const worker = new Worker(WORKER)
  let received = Promise.withResolvers<WorkerOutput>()
  worker.onmessage = ({ data }: MessageEvent<WorkerOutput>) => received.resolve(data)
  worker.onerror = ({ message }) => received.resolve({ failure: message, isUnreadable: true })
  const ask = async (message: WorkerInput) => {
    received = Promise.withResolvers()
    worker.postMessage(message)
    return received.promise
  }
  try {
    worker.postMessage({ codec } satisfies WorkerInput)
    for (let output = await ask('next'); output !== 'end'; ) {
      if (output === 'more') {
        const { done, value } = await source.next()
        output = await ask({ part: done ? undefined : new Uint8Array(value) })
      } else if ('failure' in output) throw failed(output)
      else {
        yield output.part
        output = await ask('next')
      }
    }
  } finally {
    worker.terminate()
    await source.return?.()
  }
}

function failed({ failure, isUnreadable }: { failure: string; isUnreadable: boolean }): Fault {
  if (!isUnreadable) return damagedArchive(failure)
  return new Fault('internal', 'This server cannot read archives of this format now.', {
    cause: failure,
  })
}
