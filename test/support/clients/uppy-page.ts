/** What a page that uploads with Uppy runs; the test of tus clients bundles it for the browser. */
import Uppy from '@uppy/core'
import Tus from '@uppy/tus'

interface Uploaded {
  /** The names of the files that Uppy says it has uploaded. */
  successful: string[]
  failed: string[]
}

interface UploadWithUppy {
  endpoint: string
  token: string
  name: string
  sizeBytes: number
  chunkBytes: number
}

declare global {
  interface Window {
    uploadWithUppy(options: UploadWithUppy): Promise<Uploaded>
  }
}

/** Uploads a file whose bytes count up, and is paused and resumed once after the first part. */
window.uploadWithUppy = async ({ endpoint, token, name, sizeBytes, chunkBytes }) => {
  const uppy = new Uppy()
  uppy.use(Tus, {
    endpoint,
    headers: { 'X-Auth': token },
    chunkSize: chunkBytes,
    retryDelays: [100],
  })
  const bytes = Uint8Array.from({ length: sizeBytes }, (_, at) => at)
  uppy.addFile({ name, type: 'application/octet-stream', data: new Blob([bytes]) })
  let isPaused = false
  uppy.on('upload-progress', (_, { bytesUploaded }) => {
    if (isPaused || Number(bytesUploaded) < chunkBytes) return
    isPaused = true
    uppy.pauseAll()
    setTimeout(() => uppy.resumeAll(), 300)
  })
  const result = await uppy.upload()
  return {
    successful: (result?.successful ?? []).map((file) => file.name ?? ''),
    failed: (result?.failed ?? []).map((file) => file.error ?? ''),
  }
}
