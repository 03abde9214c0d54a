/** Types for the used parts of a package without types. */
declare module 'libbzip2-wasm' {
  function load(): { then(ready: (loaded: load.Libbzip2) => void): void }

  namespace load {
    interface Libbzip2 {
      /**
       * @param blockSize 1 to 9
       * @param workFactor 0 to 250
       */
      compressBZ2(input: Uint8Array, blockSize: number, workFactor: number): Compressed
    }

    interface Compressed {
      /** 0 on success. */
      error: number
      errorMsg: string
      /** A view of the module's memory. */
      output: Uint8Array
      delete(): void
    }
  }

  export = load
}
