/** Small EPUB books. */
import { strToU8, zipSync } from 'fflate'

export const CONTAINER =
  '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'

const page = (body: string, attributes = '') =>
  `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" ${attributes}><head><title>x</title></head><body>${body}</body></html>`

const NAV = page(
  '<nav epub:type="toc"><ol><li><a href="text/one.xhtml">One</a><ol><li><a href="text/one.xhtml#deep">Deeper</a></li></ol></li><li><a href="text/two.xhtml">Two</a></li></ol></nav>',
)
const NCX =
  '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>First</text></navLabel><content src="text/one.xhtml"/><navPoint><navLabel><text>Within</text></navLabel><content src="text/one.xhtml#deep"/></navPoint></navPoint></navMap></ncx>'

interface BookOptions {
  /** The tables of contents that it contains. */
  contents?: ('nav' | 'ncx')[]
  /** The body of the first chapter. */
  first?: string
  /** Attributes of the `html` element of the first chapter. */
  attributes?: string
  /** More files, by their path in the archive. */
  files?: Record<string, Uint8Array | string>
}

/** The content of an EPUB file with two chapters. */
export function bookOf(options: BookOptions = {}): Uint8Array {
  const { contents = ['nav'], first, attributes, files = {} } = options
  const nav = contents.includes('nav')
  const ncx = contents.includes('ncx')
  const opf = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Harbour</dc:title><dc:creator>Ingrid Solberg</dc:creator><dc:language>en</dc:language></metadata><manifest>${
    nav
      ? '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
      : ''
  }${ncx ? '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' : ''}<item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="b" href="text/two.xhtml" media-type="application/xhtml+xml"/></manifest><spine${
    ncx ? ' toc="ncx"' : ''
  }><itemref idref="a"/><itemref idref="b"/></spine></package>`
  const all: Record<string, Uint8Array | string> = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': CONTAINER,
    'OPS/book.opf': opf,
    ...(nav && { 'OPS/nav.xhtml': NAV }),
    ...(ncx && { 'OPS/toc.ncx': NCX }),
    'OPS/text/one.xhtml': page(
      first ?? '<h1>One</h1><p>It begins.</p><p id="deep">Deep. <a href="two.xhtml">On</a></p>',
      attributes,
    ),
    'OPS/text/two.xhtml': page('<h1>Two</h1><p>It ends.</p>'),
    ...files,
  }
  const bytes = Object.entries(all).map(
    ([path, content]) => [path, typeof content === 'string' ? strToU8(content) : content] as const,
  )
  return zipSync(Object.fromEntries(bytes))
}
