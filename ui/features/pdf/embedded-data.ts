/**
 * Files that pdf.js needs for some documents: character maps, the two fonts of symbols, decoders of pictures. Other
 * fonts that a document lacks are those of the system.
 */

/** The URLs of the built files, by their paths in the package. Small files too: a `data:` URL could not be fetched. */
const URLS: Record<string, string> = {
  ...import.meta.glob<string>('../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url&no-inline',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>(
    '../../../node_modules/pdfjs-dist/standard_fonts/Foxit{Symbol,Dingbats}.pfb',
    {
      query: '?url&no-inline',
      import: 'default',
      eager: true,
    },
  ),
  ...import.meta.glob<string>('../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
    query: '?url&no-inline',
    import: 'default',
    eager: true,
  }),
}

/** `90ms-RKSJ-H.bcmap` → the URL of the built file. */
const BY_NAME = new Map(
  Object.entries(URLS).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
)

/** Loads a file for the worker of pdf.js, which requests nothing itself. */
export class EmbeddedData {
  /** @throws Error if the file is not embedded, or the request fails */
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = BY_NAME.get(filename)
    if (url === undefined) throw new Error(`${filename} is not embedded.`)
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${filename}: ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  }
}
