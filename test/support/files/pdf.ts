/** PDF files, built by code: pages of text, links, scripts and encryption. */
import { createHash } from 'node:crypto'

interface PdfOptions {
  /** Encrypts the texts, by the standard handler of PDF 1.4. */
  password?: string
  /** Runs when the document opens, and when its page opens. */
  script?: string
  /** A picture over the whole first page. */
  image?: { dictionary: string; bytes: Buffer }
  /** The font of all texts; with it, texts are strings in the notation of PDF. */
  font?: string
  /** A link over the whole first page. */
  link?: string
}

/** A PDF with one page for each text, which may have several lines. */
export function pdfOf(
  pages: readonly string[],
  { password, script, link, image, font }: PdfOptions = {},
): Buffer {
  const id = Buffer.from('0123456789abcdef')
  const encryption = password === undefined ? undefined : encryptionOf(password, id)
  const action = script && `<</S/JavaScript/JS(${script})>>`
  const numberOf = (at: number) => 4 + 2 * at
  const objects: string[] = []
  objects[1] = `<</Type/Catalog/Pages 2 0 R${action ? `/OpenAction ${action}/AA<</WC ${action}>>` : ''}>>`
  objects[2] = `<</Type/Pages/Kids[${pages.map((_, at) => `${numberOf(at)} 0 R`).join(' ')}]/Count ${pages.length}>>`
  objects[3] = font ?? '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'
  for (const [at, text] of pages.entries()) {
    const number = numberOf(at)
    const picture = at === 0 && image ? 'q 595 0 0 842 0 0 cm /Im Do Q ' : ''
    const plain = Buffer.from(
      `${picture}BT /F1 24 Tf 50 760 Td ${font ? text : `(${text.replaceAll('\n', ') Tj 0 -36 Td (')})`} Tj ET`,
      'latin1',
    )
    const stream = (encryption ? encryption.encrypt(number + 1, plain) : plain).toString('latin1')
    const annotation =
      at === 0 && link
        ? `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 595 842]/A<</S/URI/URI(${link})>>>>]`
        : ''
    const opens = action ? `/AA<</O ${action}>>` : ''
    objects[number] =
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${number + 1} 0 R/Resources<</Font<</F1 3 0 R>>${picture && `/XObject<</Im ${numberOf(pages.length)} 0 R>>`}>>${annotation}${opens}>>`
    objects[number + 1] = `<</Length ${stream.length}>>stream\n${stream}\nendstream`
  }
  if (image) {
    const stream = image.bytes.toString('latin1')
    objects.push(
      `<</Type/XObject/Subtype/Image/Length ${stream.length}${image.dictionary}>>stream\n${stream}\nendstream`,
    )
  }
  if (encryption) objects.push(encryption.dictionary)
  return assemble(
    objects,
    encryption ? `/Encrypt ${objects.length - 1} 0 R/ID[<${hex(id)}><${hex(id)}>]` : '',
  )
}

/** A black picture of 16 × 16 pixels in JBIG2 (ITU-T T.88): a black page, and a white region that is added to it. */
export function blackScan(): { dictionary: string; bytes: Buffer } {
  const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer).reverse()
  const segment = (at: number, type: number, data: Buffer) =>
    Buffer.concat([number(at), Buffer.from([type, 0, 1]), number(data.length), data])
  const size = [number(16), number(16), number(0), number(0)]
  const page = Buffer.concat([...size, Buffer.from([0b100, 0, 0])])
  // Sixteen white rows in the coding of faxes (MMR), and its end.
  const white = Buffer.from([0xff, 0xff, 0x00, 0x10, 0x01])
  const region = Buffer.concat([...size, Buffer.from([0, 1]), white])
  return {
    dictionary: '/Width 16/Height 16/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode',
    bytes: Buffer.concat([segment(0, 48, page), segment(1, 38, region)]),
  }
}

/** Objects, the table of their positions, and the trailer. */
function assemble(objects: readonly string[], trailer: string): Buffer {
  let text = '%PDF-1.4\n'
  const rows: string[] = []
  for (let number = 1; number < objects.length; number++) {
    rows.push(`${String(text.length).padStart(10, '0')} 00000 n \n`)
    text += `${number} 0 obj\n${objects[number]}\nendobj\n`
  }
  const start = text.length
  text += `xref\n0 ${objects.length}\n0000000000 65535 f \n${rows.join('')}`
  text += `trailer\n<</Size ${objects.length}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

const PADDING = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
)
const PERMISSIONS = Buffer.from([0xfc, 0xff, 0xff, 0xff])

/** PDF 1.4, 3.5.2: algorithms 3.1 to 3.4, with 40 bits. */
function encryptionOf(password: string, id: Buffer) {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32)
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const key = md5(padded, owner, PERMISSIONS, id).subarray(0, 5)
  const user = rc4(key, PADDING)
  return {
    dictionary: `<</Filter/Standard/V 1/R 2/O<${hex(owner)}>/U<${hex(user)}>/P -4>>`,
    encrypt(number: number, plain: Buffer): Buffer {
      const salt = Buffer.from([number & 255, (number >> 8) & 255, (number >> 16) & 255, 0, 0])
      return rc4(md5(key, salt).subarray(0, 10), plain)
    },
  }
}

function rc4(key: Buffer, plain: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at)
  const at = (index: number) => state[index & 255] ?? 0
  const swap = (one: number, other: number) => {
    const kept = at(one)
    state[one & 255] = at(other)
    state[other & 255] = kept
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(
    plain.map((byte) => {
      i += 1
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}

function md5(...parts: Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest()
}

const hex = (bytes: Buffer) => bytes.toString('hex')
