/** The package brings no types. These are of the parts in use. */
declare module 'libbzip2-wasm' {
  function load(): { then(ready: (loaded: load.Libbzip2) => void): void }

  namespace load {
    interface Libbzip2 {
      /** @param blockSize 1 to 9 @param workFactor 0 to 250 */
      compressBZ2(input: Uint8Array, blockSize: number, workFactor: number): Compressed
    }

    interface Compressed {
      /** 0 when it went well. */
      error: number
      errorMsg: string
      /** Lies in the library's own memory. */
      output: Uint8Array
      delete(): void
    }
  }

  export = load
}
